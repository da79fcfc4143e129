// Chooses the time zone of this machine where the page asks for one and nobody has chosen yet.
const select = /** @type {HTMLSelectElement | null} */ (document.querySelector("select[data-guess]"));
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (select && [...select.options].some((option) => option.value === zone)) {
  select.value = zone;
}
