/** The characters there are now: those of this program and the packs of the active wardrobe, read anew whenever any of it changes (R11). */
import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FoundPet, FoundPets } from './packs/in-place.ts';
import { type Candidate, lineUp } from './packs/line-up.ts';
import { packFiles } from './packs/pack-files.ts';
import type { InstalledPack, Wardrobe } from './packs/types.ts';
import type { Cast, Member } from './protocol/cast.ts';
import type { Character } from './protocol/character.ts';
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
  /** What is shown from where it lies. Never throws. */
  petsOf(follows: Wardrobe['follows']): FoundPets;
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
function stampOf(folder: string, files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) {
    const stat = lstatSync(join(folder, file), { throwIfNoEntry: false });
    hash.update(`${file} ${stat?.ino} ${stat?.size} ${stat?.mtimeMs}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}

/** A character and the files it is made of, which lie in its folder. */
interface Known {
  readonly member: Member;
  readonly files: readonly string[];
}

const toKnown = (character: Character, files: readonly string[], builtIn: boolean): Known => {
  const { manifest, folder, paths } = character;
  const stamp = stampOf(folder, files);
  return { member: { manifest, folder, ...(paths !== undefined && { paths }), builtIn, stamp }, files };
};

const keyOf = (id: string, stamp: string): string => `${id} ${stamp}`;

/** Reads everything once and goes on watching. Never throws: what cannot be read is told as unavailable, or in the log. */
export function openLivePacks(
  { builtIn, source, log }: LivePacksOptions,
  makeWatch: typeof createFolderWatch = createFolderWatch,
): LivePacks {
  const own = builtIn.characters.map((each) => toKnown(each, packFiles(each.manifest), true).member);
  const ownIds = new Set(own.map(({ manifest }) => manifest.id));
  /** By folder: a pack is read again only when its files are others. */
  let known = new Map<string, Known>();
  const gone = new Map<string, Member>();
  /** What the page could not draw, by the character's key. */
  const broken = new Map<string, string>();
  let cast: Cast = { members: own, unavailable: builtIn.unavailable, chosen: null };
  let listener: (cast: Cast) => void = () => {};
  let quiet: NodeJS.Timeout | null = null;
  let burstSince = 0;
  let closed = false;
  let toldRefusal = false;

  /** What `read` gives, or what it gave last time if its files are the same ones; a character that cannot be drawn is none. */
  function readOnce(folder: string, reading: Map<string, Known>, read: () => Known | string) {
    const before = known.get(folder);
    const isSame = before !== undefined && stampOf(folder, before.files) === before.member.stamp;
    const found = isSame ? before : read();
    if (typeof found === 'string') return { reason: found };
    reading.set(folder, found);
    const { member } = found;
    const reason = broken.get(keyOf(member.manifest.id, member.stamp));
    return reason === undefined ? { member, reason: null } : { reason };
  }

  function readPack(id: string, version: string): Known | string {
    const { manifest, reason, folder } = source.read(id, version);
    return manifest === null ? (reason ?? 'cannot be used') : toKnown({ manifest, folder }, packFiles(manifest), false);
  }

  function readPet(pet: FoundPet): Known | string {
    const found = pet.read();
    return typeof found === 'string' ? found : toKnown(found, found.sources, false);
  }

  function assemble(
    { packs, current, name, reason }: ReturnType<PackSource['active']>,
    { pets, unavailable }: FoundPets,
  ): Cast {
    const reading = new Map<string, Known>();
    const candidates: readonly Candidate<Member>[] = [
      ...Object.entries(packs)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([id, version]) => ({
          id,
          read: () => readOnce(source.folderOf(id, version), reading, () => readPack(id, version)),
        })),
      ...pets.map((pet) => ({ id: pet.id, read: () => readOnce(pet.folder, reading, () => readPet(pet)) })),
    ];
    const others = lineUp(ownIds, candidates);
    known = reading;
    const drawn = own.filter(({ manifest, stamp }) => !broken.has(keyOf(manifest.id, stamp)));
    const undrawn = own
      .filter((each) => !drawn.includes(each))
      .map(({ manifest, stamp }) => ({ id: manifest.id, reason: broken.get(keyOf(manifest.id, stamp))! }));
    return {
      members: [...drawn, ...others.members],
      unavailable: [
        ...builtIn.unavailable,
        ...(reason ? [{ id: `wardrobe ${name}`, reason }] : []),
        ...undrawn,
        ...others.unavailable,
        ...unavailable,
      ],
      chosen: current,
    };
  }

  const watchedFor = (
    { folder, packs }: ReturnType<PackSource['active']>,
    { watched }: FoundPets,
  ): readonly Watched[] => {
    const folders = Object.entries(packs).map(([id, version]) => source.folderOf(id, version));
    const shelves = new Set(folders.map((each) => dirname(dirname(each))));
    const deeper = [...known.values()].flatMap(({ member, files }) =>
      files.map((file) => dirname(join(member.folder, file))),
    );
    return [
      source.place,
      { folder, names: ['wardrobe.json'] },
      ...watched,
      ...[...new Set([...folders, ...deeper])].map((each) => ({ folder: each, names: null })),
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
        const pets = source.petsOf(wardrobe.follows);
        const isNew = watch.set(watchedFor(wardrobe, pets));
        const before = next;
        next = assemble(wardrobe, pets);
        changed = isNew || !isSame(before, next);
      } catch (error) {
        log(`packs: ${error instanceof Error ? error.message : 'cannot be read'}`);
        watch.set([source.place]);
        changed = false;
        break;
      }
    }
    if (changed) stir();
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
      broken.set(
        keyOf(id, stamp),
        `${member.paths?.[file] ?? file} cannot be drawn: it is damaged, or no picture the page can read`,
      );
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
