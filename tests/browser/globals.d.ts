/** The documentation's viewer, which its own script brings. */
declare const SwaggerUIBundle: { (settings: object): void; presets: { apis: unknown } };
