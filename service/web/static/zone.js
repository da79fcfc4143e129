// Preselects the time zone of this machine if none is chosen yet.
const select = /** @type {HTMLSelectElement | null} */ (document.querySelector("select[data-guess]"));
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (select && [...select.options].some((option) => option.value === zone)) {
  select.value = zone;
}
