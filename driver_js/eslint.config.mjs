/**
 * @fileoverview What the scripts in the page's own world must not lean on once the page's scripts
 * run: anything that a page can redefine. `main/1_natives.js` takes it while it is whole.
 */

const TAKEN = [
  'Array', 'CustomEvent', 'Date', 'Error', 'Event', 'JSON', 'Map', 'Math', 'Number', 'Object',
  'Promise', 'Proxy', 'Reflect', 'RegExp', 'Set', 'String', 'Symbol', 'WeakMap', 'WeakRef', 'WeakSet',
  'performance', 'queueMicrotask', 'requestAnimationFrame', 'setInterval', 'setTimeout',
  'addEventListener', 'dispatchEvent', 'removeEventListener',
];
const METHODS = 'addEventListener|apply|bind|call|concat|dispatchEvent|endsWith|entries|every|filter|find|flatMap|' +
  'forEach|get|getAttribute|has|includes|indexOf|join|keys|map|match|matches|pop|push|querySelector|replace|' +
  'replaceAll|set|shift|slice|some|sort|splice|split|startsWith|substring|test|then|toLowerCase|toString|trim|' +
  'unshift|values';
const later = ':function';
const message = 'A page can redefine this; use what main/1_natives.js has taken.';

export default [
  {
    files: ['main/[2-9]*.js', 'clock/[2-9]*.js'],
    languageOptions: {sourceType: 'script', ecmaVersion: 2024},
    rules: {
      'no-restricted-globals': ['error', ...TAKEN.map((name) => ({name, message}))],
      'no-restricted-syntax': [
        'error',
        {selector: `${later} CallExpression > MemberExpression.callee[property.name=/^(${METHODS})$/]`, message},
        {selector: `${later} ForOfStatement`, message: 'A page can redefine iteration; count instead.'},
        {selector: `${later} SpreadElement`, message: 'A page can redefine iteration; count instead.'},
        {selector: `${later} ArrayPattern`, message: 'A page can redefine iteration; count instead.'},
        {selector: `${later} AwaitExpression[argument.type!="CallExpression"]`, message},
      ],
    },
  },
  {
    // A form's fields hide its properties of the same name; `driver/1_page.js` has ways around it.
    files: ['driver/[2-9]*.js'],
    languageOptions: {sourceType: 'script', ecmaVersion: 2024},
    rules: {
      'no-restricted-syntax': [
        'error',
        {selector: 'MemberExpression[computed=false][property.name=/^(id|children)$/]', message: 'Use idOf or childrenOf.'},
        {selector: 'MemberExpression[property.name="getAttribute"]', message: 'Use attributeOf.'},
      ],
    },
  },
];
