/** The characters there are now: those of this program and the packs of the active wardrobe, read anew whenever any of it changes (R11). */
import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packFiles } from './packs/pack-files.ts';
import type { InstalledPack, Wardrobe } from './packs/types.ts';
import type { Cast, Member } from './protocol/cast.ts';
import type { Character, CharacterManifest } from './protocol/character.ts';
import { DEFAULT_CHARACTER } from './protocol/settings.ts';
import { createFolderWatch, type Watched } from './watch-folders.ts';

/** What is asked of the library of packs. */
export interface PackSource {
  /** Folder of the file that says which wardrobe is active, and the names in it that matter. */
  readonly place: Watched;
  /** Throws when it cannot be told. */
  active(): Omit<Wardrobe, 'isActive'>;
  folderOf(id: string, version: string): string;
  /** Never throws. */
  read(id: string, version: string): InstalledPack;
  setCurrent(character: string): Promise<void>;
}

export interface LivePacks {
  cast(): Cast;
  /** Calls `listen` after each change. One listener. */
  onChange(listen: (cast: Cast) => void): void;
  /** Makes it the user's choice; the change is told before this resolves. Errors: as Library.setCurrent. */
  choose(character: string): Promise<void>;
  /** `file` of exactly these files cannot be drawn: they are no character any more. */
  reportBroken(id: string, stamp: string, file: string): void;
  /** Reads everything anew where changes are not heard of; else does nothing. */
  refresh(): Promise<void>;
  /** The character with exactly these files; also one that has just gone, as its clip may still run. */
  find(id: string, stamp: string): Member | undefined;
  close(): void;
}

export interface LivePacksOptions {
  readonly builtIn: { readonly characters: readonly Character[]; readonly unavailable: Cast['unavailable'] };
  readonly source: PackSource;
  readonly log: (line: string) => void;
}

/** A burst of changes, as of an installation, is one change: read this long after its last one, or after its first one at the latest. */
const QUIET_MS = 40;
const BURST_MS = 400;
/** Characters that have gone and may still be asked for. */
const MAX_GONE = 16;
/** Between what is watched and what is read something may come; twice is enough unless it goes on and on. */
const MAX_ROUNDS = 3;

/** Differs whenever one of the files is another one; a missing one counts too. */
function stampOf(folder: string, manifest: CharacterManifest): string {
  const hash = createHash('sha256');
  for (const file of packFiles(manifest)) {
    const stat = lstatSync(join(folder, file), { throwIfNoEntry: false });
    hash.update(`${file} ${stat?.ino} ${stat?.size} ${stat?.mtimeMs}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}

const toMember = ({ manifest, folder }: Character, builtIn: boolean): Member => ({
  manifest,
  folder,
  builtIn,
  stamp: stampOf(folder, manifest),
});

const keyOf = (id: string, stamp: string): string => `${id} ${stamp}`;

/** Reads everything once and goes on watching. Never throws: what cannot be read is told as unavailable, or in the log. */
export function openLivePacks(
  { builtIn, source, log }: LivePacksOptions,
  makeWatch: typeof createFolderWatch = createFolderWatch,
): LivePacks {
  const own = builtIn.characters.map((character) => toMember(character, true));
  const ownIds = new Set(own.map(({ manifest }) => manifest.id));
  /** By folder: a pack is read again only when its files are others. */
  let known = new Map<string, Member>();
  const gone = new Map<string, Member>();
  /** What the page could not draw, by the character's key. */
  const broken = new Map<string, string>();
  let cast: Cast = { members: own, unavailable: builtIn.unavailable, chosen: null };
  let listener: (cast: Cast) => void = () => {};
  let quiet: NodeJS.Timeout | null = null;
  let burstSince = 0;
  let closed = false;
  let toldRefusal = false;

  function readPack(id: string, version: string, reading: Map<string, Member>): Member | string {
    if (ownIds.has(id)) return 'a character of this program has the same ID';
    const folder = source.folderOf(id, version);
    const before = known.get(folder);
    if (before !== undefined && stampOf(folder, before.manifest) === before.stamp) {
      reading.set(folder, before);
      return before;
    }
    const pack = source.read(id, version);
    if (pack.manifest === null) return pack.reason ?? 'cannot be used';
    const member = toMember({ manifest: pack.manifest, folder: pack.folder }, false);
    reading.set(folder, member);
    return member;
  }

  function assemble({ packs, current, name, reason }: ReturnType<PackSource['active']>): Cast {
    const reading = new Map<string, Member>();
    const found = Object.entries(packs)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, version]) => ({ id, pack: readPack(id, version, reading) }));
    known = reading;
    const members: Member[] = [];
    const unavailable = [...builtIn.unavailable, ...(reason ? [{ id: `wardrobe ${name}`, reason }] : [])];
    const all = [...own.map((pack) => ({ id: pack.manifest.id, pack })), ...found];
    for (const { id, pack } of all) {
      const why = typeof pack === 'string' ? pack : broken.get(keyOf(id, pack.stamp));
      if (why !== undefined) unavailable.push({ id, reason: why });
      else if (typeof pack !== 'string') members.push(pack);
    }
    return { members, unavailable, chosen: current };
  }

  const watchedFor = ({ folder, packs }: ReturnType<PackSource['active']>): readonly Watched[] => {
    const folders = Object.entries(packs).map(([id, version]) => source.folderOf(id, version));
    const shelves = new Set(folders.map((each) => dirname(dirname(each))));
    return [
      source.place,
      { folder, names: ['wardrobe.json'] },
      ...folders.map((each) => ({ folder: each, names: null })),
      ...[...shelves].map((shelf) => ({ folder: shelf, names: Object.keys(packs) })),
    ];
  };

  const isSame = (a: Cast, b: Cast): boolean =>
    a.chosen === b.chosen &&
    a.members.length === b.members.length &&
    a.members.every((member, index) => member === b.members[index]) &&
    JSON.stringify(a.unavailable) === JSON.stringify(b.unavailable);

  function take(next: Cast): void {
    for (const member of cast.members) {
      if (next.members.includes(member)) continue;
      gone.set(keyOf(member.manifest.id, member.stamp), member);
      if (gone.size > MAX_GONE) gone.delete(gone.keys().next().value!);
    }
    for (const { id, reason } of next.unavailable)
      if (!cast.unavailable.some((each) => each.id === id && each.reason === reason))
        log(`character ${id} cannot be used: ${reason}`);
    cast = next;
  }

  /** Reads everything; of what has come between watching and reading it reads again. */
  function scan(): boolean {
    let next = cast;
    let changed = true;
    for (let round = 0; round < MAX_ROUNDS && changed; round += 1) {
      try {
        const wardrobe = source.active();
        watch.set(watchedFor(wardrobe));
        const before = next;
        next = assemble(wardrobe);
        changed = !isSame(before, next);
      } catch (error) {
        log(`packs: ${error instanceof Error ? error.message : 'cannot be read'}`);
        watch.set([source.place]);
        break;
      }
    }
    if (isSame(cast, next)) return false;
    take(next);
    return true;
  }

  const review = (): void => {
    if (quiet !== null) clearTimeout(quiet);
    quiet = null;
    if (!closed && scan()) listener(cast);
  };

  const stir = (): void => {
    const now = performance.now();
    if (quiet === null) burstSince = now;
    else clearTimeout(quiet);
    quiet = setTimeout(review, Math.max(0, Math.min(QUIET_MS, burstSince + BURST_MS - now)));
    quiet.unref();
  };

  const watch = makeWatch(stir, (code) => {
    if (!toldRefusal) log(`packs: changes cannot be watched (${code}); they are looked for when somebody asks`);
    toldRefusal = true;
  });
  scan();

  return {
    cast: () => cast,
    onChange: (listen) => {
      listener = listen;
    },
    choose: async (character) => {
      await source.setCurrent(character);
      review();
    },
    reportBroken: (id, stamp, file) => {
      const member = cast.members.find((each) => each.manifest.id === id && each.stamp === stamp);
      if (member === undefined || !packFiles(member.manifest).includes(file)) return;
      // Something must be left to be shown.
      if (id === DEFAULT_CHARACTER) return log(`character ${id}: the page could not draw ${file}`);
      broken.set(keyOf(id, stamp), `${file} cannot be drawn: it is damaged, or no picture the page can read`);
      review();
    },
    refresh: async () => {
      if (!watch.isWhole()) review();
    },
    find: (id, stamp) =>
      cast.members.find((each) => each.manifest.id === id && each.stamp === stamp) ?? gone.get(keyOf(id, stamp)),
    close: () => {
      closed = true;
      if (quiet !== null) clearTimeout(quiet);
      watch.close();
    },
  };
}
