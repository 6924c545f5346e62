// Bundles source/main.js with three.js into viewer.js; `make web` runs it.

import { build } from "esbuild";
import { createHash } from "node:crypto";
import { copyFile, readdir, readFile } from "node:fs/promises";

/** Shaders of materials that the viewer does not use. */
const UNUSED = /^(meshphysical|meshlambert|meshbasic|meshtoon|meshmatcap|meshphong|meshnormal|points|sprite|linedashed|distance|equirect|cube|backgroundCube)_(vert|frag)$|^(lights_physical_pars_fragment|lights_physical_fragment|lights_toon\w*|lights_phong\w*|lights_lambert\w*|transmission\w*|iridescence\w*|clearcoat\w*|cube_uv_reflection_fragment)$/;

/** Shorter text of a shader: no indentation, no spaces around most signs. Lines for the preprocessor stay as they are. */
function shortShader(text) {
  const line = (row) => (row.startsWith("#") ? row : row.replace(/\s*([*/=<>(){}[\],;:?&|!])\s*/g, "$1"));
  return text.split("\n").map((row) => line(row.trim())).filter(Boolean).join("\n");
}

const shorterShaders = {
  name: "shorter shaders",
  setup(bundle) {
    bundle.onLoad({ filter: /three\.module\.js$/ }, async ({ path }) => {
      let code = await readFile(path, "utf8");
      const unused = new Set([...code.matchAll(/^\t(\w+): ((?:vertex|fragment)(?:\$\w+)?|\w+_(?:fragment|vertex)),?$/gm)].filter(([, name]) => UNUSED.test(name)).map(([, , variable]) => variable));
      code = code.replace(/^(const|var) ([\w$]+) = ("(?:[^"\\\n]|\\.)*");$/gm, (whole, kind, variable, literal) => {
        const text = JSON.parse(literal);
        if (unused.has(variable)) return `${kind} ${variable} = "";`;
        return text.includes("\n") ? `${kind} ${variable} = ${JSON.stringify(shortShader(text))};` : whole;
      });
      return { contents: code };
    });
  },
};

/** The SHA-256 of all that the bundle is made from, which its first line has; tests/viewer/test_web_bundle.py compares it. */
async function digestOfSources() {
  const hash = createHash("sha256");
  const sources = (await readdir("source")).sort().map((name) => `source/${name}`);
  for (const name of ["build.mjs", "package-lock.json", ...sources]) hash.update(`${name}\n`).update(await readFile(name));
  return hash.digest("hex");
}

await copyFile("node_modules/three/LICENSE", "LICENSE.three");
const licence = (await readFile("LICENSE.three", "utf8")).trim(); // pages hold three.js, so they hold its licence

await build({
  entryPoints: ["source/main.js"],
  outfile: "viewer.js",
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2020",
  charset: "utf8",
  legalComments: "none",
  loader: { ".css": "text" },
  plugins: [shorterShaders],
  banner: { js: `/* sources ${await digestOfSources()} */\n/* three.js\n${licence} */` },
  logLevel: "info",
});
