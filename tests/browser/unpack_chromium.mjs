// Unpacks the Chromium of @sparticuz/chromium, its libraries and its typeface into TMPDIR; used by browser_program.py.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { inflate } from "@sparticuz/chromium";

const packed = join(dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium")), "..", "bin");
const files = ["chromium.br", "fonts.tar.br", "swiftshader.tar.br", "al2023.tar.br"];
await Promise.all(files.map((file) => inflate(join(packed, file))));
