"""What a browser is called among the devices of a player: its name and its system, from what it says of itself."""

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
"""What stands in the User-Agent, and which browser that is; the first that fits counts, as most claim to be others."""
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
    """The browser in plain words: “Firefox on Linux”."""
    browser = next((name for part, name in BROWSERS if part in user_agent), "")
    system = next((name for part, name in SYSTEMS if part in user_agent), "")
    if browser and system:
        return translate(locale, "site.browser.on", browser=browser, system=system)
    return browser or system or translate(locale, "site.browser.unknown")
