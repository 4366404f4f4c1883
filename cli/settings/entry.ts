/** What `dist/settings.cjs` holds: the libraries that read settings, and what changes them without touching the rest. */
export { appendJson, putJson, readJson, removeJson } from './edit/json.ts';
export { appendTable, readToml, removeTable, tableText } from './edit/toml.ts';
