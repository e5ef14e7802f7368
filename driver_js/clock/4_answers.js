/**
 * @fileoverview What the page waits for from its files. A request's answer takes no time of the
 * page's; the host lets time pass once nothing is on its way any more, and this knows.
 */

let awaited = 0;
const arrived = () => {
  awaited -= 1;
};

/** @type {ProxyHandler<any>} */
const promiseTraps = {
  apply(target, self, args) {
    const promise = apply(target, self, args);
    awaited += 1;
    then(promise, arrived, arrived);
    return promise;
  },
};

standIn(window, 'fetch', promiseTraps);
for (const name of ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text']) standIn(Response.prototype, name, promiseTraps);
standIn(XMLHttpRequest.prototype, 'send', {
  apply(target, self, args) {
    const sent = apply(target, self, args);
    awaited += 1;
    listen(self, 'loadend', arrived, {once: true});
    return sent;
  },
});

listen(window, `${TOKEN}:awaited?`, () => dispatch(window, new NativeCustomEvent(`${TOKEN}:awaited`, {detail: awaited})));
