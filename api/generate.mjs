// generate.mjs: everything that follows from the description of the API.
//
//   node api/generate.mjs OUT
//
// OUT gets openapi.json (the server serves it), routes.c and handlers.h (the server's route table), types.d.ts, client.js
// and client.d.ts (the dashboard), routes.md (who may use which route). A file whose text stays the same is not written again, so that make compiles only what
// changed.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { read } from './description.mjs';
import { clientText, clientTypes } from './to_client.mjs';
import { handlerList, routeTable } from './to_c.mjs';
import { jsonText, openapi } from './to_openapi.mjs';
import { routesPage } from './to_page.mjs';
import { typesText } from './to_types.mjs';

/** File → its text. @param {ReturnType<typeof read>} description @returns {Record<string, string>} */
const outputs = (description) => ({
  'openapi.json': `${jsonText(openapi(description))}\n`,
  'routes.c': routeTable(description),
  'handlers.h': handlerList(description),
  'routes.md': routesPage(description),
  'types.d.ts': typesText(description),
  'client.js': clientText(description),
  'client.d.ts': clientTypes(description),
});

if (process.argv.length !== 3) {
  console.error('usage: node api/generate.mjs OUT');
  process.exit(64);
}
try {
  const out = process.argv[2];
  mkdirSync(out, { recursive: true });
  for (const [name, text] of Object.entries(outputs(read()))) {
    const file = join(out, name);
    if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
  }
} catch (error) {
  console.error(`api: ${error.message}`);
  process.exit(1);
}
