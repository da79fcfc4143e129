// Shows our document with the Swagger UI beside it; nothing is asked of any other machine.
window.addEventListener("load", () => {
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
