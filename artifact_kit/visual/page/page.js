"use strict";
{
  const checks = [...document.querySelectorAll(".check")];
  const index = document.querySelector(".index");
  const narrow = matchMedia("(max-width: 900px)");
  if (index && narrow.matches) index.open = false;
  narrow.addEventListener("change", () => { if (index) index.open = !narrow.matches; });

  let here = -1;
  const turnTo = (at, focus) => {
    here = Math.max(0, Math.min(checks.length - 1, at));
    for (const link of document.querySelectorAll("nav a")) {
      const same = link.hash === `#${checks[here].id}`;
      link.classList.toggle("here", same);
      if (same) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    if (!focus) return;
    checks[here].scrollIntoView({ block: "start" });
    checks[here].focus({ preventScroll: true });
  };
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (entry.isIntersecting) turnTo(checks.indexOf(entry.target), false);
    }
  }, { rootMargin: "-20% 0px -70% 0px" });
  for (const check of checks) seen.observe(check);

  for (const viewer of document.querySelectorAll(".viewer")) {
    const stage = viewer.querySelector(".stage");
    const layers = viewer.querySelector(".layers");
    const cut = viewer.querySelector(".cut");
    const aim = () => {
      if (!stage.dataset.of || stage.scrollHeight < 1.3 * stage.clientHeight) return;
      const share = Number(stage.dataset.at) / Number(stage.dataset.of);
      stage.scrollTop = Math.max(0, share * stage.scrollHeight - stage.clientHeight / 3);
    };
    const slide = () => layers.style.setProperty("--cut", `${cut.value}%`);
    viewer.addEventListener("change", () => { viewer.classList.remove("held", "back"); aim(); });
    if (cut) cut.addEventListener("input", slide);
    const drag = (event) => {
      if (!cut || event.buttons !== 1 || !viewer.querySelector('[value="slider"]').checked) return;
      const box = layers.getBoundingClientRect();
      cut.value = String(((event.clientX - box.left) / box.width) * 100);
      slide();
    };
    layers.addEventListener("pointerdown", drag);
    layers.addEventListener("pointermove", drag);
    aim();
  }

  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !checks.length) return;
    const key = event.key.toLowerCase();
    if (key === "j" || key === "k") turnTo(here + (key === "j" ? 1 : -1), true);
    const viewer = checks[Math.max(here, 0)].querySelector(".viewer");
    if (!viewer) return;
    const mode = viewer.querySelectorAll("fieldset input")[Number(key) - 1];
    if (/^[1-4]$/.test(key) && mode) mode.click();
    if (key === "b" && viewer.querySelector('[value="blink"]:checked')) {
      if (viewer.classList.contains("held")) viewer.classList.toggle("back");
      viewer.classList.add("held");
    }
  });
}
