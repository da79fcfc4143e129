"""Names of browsers in the list of devices: browser and system, from the User-Agent."""

from __future__ import annotations

from engine.words import Locale
from service.i18n.catalogue import translate

BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("HeadlessChrome/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
"""Words of the User-Agent and their browsers; the first match counts, since most also claim to be others."""
SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Macintosh", "macOS"),
    ("Linux", "Linux"),
)


def describe_browser(user_agent: str, locale: Locale) -> str:
    """Return the name of a browser for people: “Firefox on Linux”."""
    browser = next((name for part, name in BROWSERS if part in user_agent), "")
    system = next((name for part, name in SYSTEMS if part in user_agent), "")
    if browser and system:
        return translate(locale, "site.browser.on", browser=browser, system=system)
    return browser or system or translate(locale, "site.browser.unknown")
