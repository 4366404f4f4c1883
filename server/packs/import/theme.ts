/** Reads the raster part of clawd-on-desk themes: `theme.json` gives states to pictures; its vector images stay outside. */

import { readNamedFiles } from './animated-files.ts';
import type { Candidate, Draft, Look, Note } from './draft.ts';
import { giveUp } from './give-up.ts';
import { baseOf, findFile, folderOf, insidePath, joinPath, type SourceTree, shown } from './source.ts';
import { type JsonObject, jsonObject, parseJson } from './text.ts';

const THEME = /(^|\/)theme\.json$/i;
export const THEME_FORMAT = 'desk-theme';

/** Names of files, whether a state has one or a list of them; keys that begin with an underscore are remarks. */
function filesOf(states: JsonObject): readonly { readonly state: string; readonly file: string }[] {
  return states
    .entries()
    .filter(([state]) => !state.startsWith('_'))
    .flatMap(([state, value]) => {
      const list = Array.isArray(value) ? value : [value];
      const file = list.find((each) => typeof each === 'string');
      return typeof file === 'string' ? [{ state, file }] : [];
    });
}

async function readTheme(
  tree: SourceTree,
  file: string,
  json: JsonObject,
  states: JsonObject,
  look: Look,
): Promise<Draft> {
  const notes: Note[] = [];
  const missing: string[] = [];
  const found: { state: string; file: string }[] = [];
  for (const { state, file: named } of filesOf(states)) {
    if (/\.svg$/i.test(named)) {
      notes.push({ file, line: null, text: `state ${shown(state)} was left out: ${shown(named)} is a vector image` });
      continue;
    }
    const folder = folderOf(file);
    const places = [joinPath(folder, 'assets'), folder].map((place) => insidePath(place, named));
    if (places.includes(null))
      giveUp(`${shown(file)}: state ${shown(state)} names a picture outside the pack; it was not opened`);
    const asset = places.map((place) => findFile(tree, place!)).find((each) => each !== null);
    if (asset === undefined || asset === null) missing.push(shown(named));
    else found.push({ state, file: asset.path });
  }
  if (missing.length > 0) giveUp(`pictures that ${shown(file)} names are missing: ${missing.slice(0, 12).join(', ')}`);
  if (found.length === 0) giveUp(`${shown(file)} names vector images only (SVG); only PNG, GIF and WebP are taken`);
  const name = json.text('name') ?? tree.name;
  const author = json.text('author');
  return readNamedFiles(tree, look, name, found, {
    format: THEME_FORMAT,
    description: json.text('description') ?? '',
    authors: author === null ? [] : [author],
    license: json.text('license'),
    version: json.text('version'),
    notes,
  });
}

/** Themes of the source. */
export async function findThemes(tree: SourceTree): Promise<readonly Candidate[]> {
  const found: Candidate[] = [];
  for (const file of tree.files.filter((each) => THEME.test(each) && (tree.chosen === null || tree.chosen === each))) {
    const json = jsonObject(parseJson(shown(file), await tree.read(file)));
    const states = json?.object('states');
    if (!json || !states) continue;
    const name = json.text('name') ?? baseOf(folderOf(file));
    found.push({ format: THEME_FORMAT, name, read: (look) => readTheme(tree, file, json, states, look) });
  }
  return found;
}
