// Shows our document with the Swagger UI beside it; nothing is asked of any other machine.

/** @type {Record<string, string>} names of lists that the Swagger UI gives none */
const LIST_NAMES = { servers: "Server", "examples-select-element": "Example" };

/**
 * Mends what keeps the Swagger UI from who hears it: a second main part, headings that skip a level, lists without a name.
 * @param {HTMLElement} place
 */
function mendDocument(place) {
  place.querySelector("main:not([role])")?.setAttribute("role", "group");
  for (const heading of place.querySelectorAll(":is(h3.opblock-tag, .opblock h4, .opblock h5, .models > h4):not([aria-level])")) {
    heading.setAttribute("aria-level", String(Number(heading.tagName[1]) - 1));
  }
  for (const list of place.querySelectorAll("select:not([aria-label])")) {
    list.setAttribute("aria-label", LIST_NAMES[list.id] ?? LIST_NAMES[list.className] ?? "Choice");
  }
}

window.addEventListener("load", () => {
  const place = /** @type {HTMLElement} */ (document.querySelector("#document"));
  new MutationObserver(() => mendDocument(place)).observe(place, { childList: true, subtree: true });
  SwaggerUIBundle({
    url: "/openapi.json",
    dom_id: "#document",
    deepLinking: true,
    validatorUrl: null,
    displayRequestDuration: true,
    persistAuthorization: false,
    presets: [SwaggerUIBundle.presets.apis],
    layout: "BaseLayout",
  });
});
