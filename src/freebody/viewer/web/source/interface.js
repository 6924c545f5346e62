// The controls around the stage.

/** @param {HTMLElement} element the .fb-view
 * @param {{scene, player, stage}} view */
export function mountInterface(element, { player }) {
  element.tabIndex = 0;
  element.addEventListener("keydown", (event) => {
    if (event.key === " ") player.toggle();
  });
}
