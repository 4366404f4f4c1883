/** Characters: each one alive in its tile, with what it can do, where it comes from, and a press to have it on the screen. */
import { useState } from 'preact/hooks';
import { UNKNOWN_AUTHOR } from '../../server/protocol/character.ts';
import type { Ability, CharacterRow } from '../../server/protocol/link.ts';
import type { Language } from '../../server/protocol/words.ts';
import type { Characters } from '../model.ts';
import { useShell } from '../shell.ts';
import { inLanguage } from '../text.ts';
import type { Words } from '../words.ts';
import { Panel } from './panel.tsx';
import { Preview } from './preview.tsx';

interface GalleryPageProps {
  readonly characters: Characters | null;
  /** The choice of this one has failed. */
  readonly notChosen: string | null;
  readonly still: boolean;
}

export function GalleryPage({ characters, notChosen, still }: GalleryPageProps) {
  const { words } = useShell();
  return (
    <Panel name="characters" title={words.charactersTitle}>
      {characters === null ? (
        <p class="hint">{words.answersLoading}</p>
      ) : (
        <>
          {notChosen !== null && (
            <p class="fault" role="alert">
              {words.notChosen}
            </p>
          )}
          <ul class="rows">
            {characters.rows.map((row) => (
              <Tile key={row.id} row={row} still={still} />
            ))}
          </ul>
          <Unavailable characters={characters} />
        </>
      )}
    </Panel>
  );
}

/** What a character can do, as one would say it; what a pack brought of its own it says itself. */
function abilitiesIn(words: Words, language: Language, abilities: readonly Ability[]): readonly string[] {
  const wordFor = (name: string): string => (words.abilities as Readonly<Record<string, string>>)[name] ?? name;
  const named = abilities
    .filter(({ text }) => text === null)
    .map(({ name, instead }) => (instead === null ? wordFor(name) : words.insteadOf(wordFor(name), wordFor(instead))));
  const own = abilities.flatMap(({ text }) => (text === null ? [] : [inLanguage(text, language)]));
  const said = [...(named.length === 0 ? [] : [words.canDo(named.join(words.listMark))]), ...own];
  return said.length === 0 ? [words.canNothing] : said;
}

const originOf = (words: Words, { builtIn, authors, license, version }: CharacterRow): string =>
  [
    builtIn ? words.builtIn : words.versionOf(version),
    authors.every((name) => name === UNKNOWN_AUTHOR) ? words.authorUnknown : words.by(authors.join(words.listMark)),
    license === 'LicenseRef-unknown' ? words.licenseUnknown : words.license(license),
  ].join(' · ');

function Tile({ row, still }: { readonly row: CharacterRow; readonly still: boolean }) {
  const { words, language, send } = useShell();
  const [watched, setWatched] = useState(false);
  const name = inLanguage(row.name, language);
  const watch = (on: boolean) => (): void => setWatched(on);
  return (
    <li
      class="row tile"
      data-character-id={row.id}
      data-current={row.current}
      onPointerEnter={watch(true)}
      onPointerLeave={watch(false)}
      onFocusIn={watch(true)}
      onFocusOut={watch(false)}
    >
      <Preview row={row} still={still} watched={watched} />
      <div class="tile-text">
        <h3 class="name" dir="auto">
          {name}
        </h3>
        <p class="text small" dir="auto">
          {inLanguage(row.description, language)}
        </p>
        {abilitiesIn(words, language, row.abilities).map((sentence) => (
          <p key={sentence} class="text small" data-role="abilities" dir="auto">
            {sentence}
          </p>
        ))}
        <p class="hint" dir="auto">
          {originOf(words, row)}
        </p>
        <button
          type="button"
          class="button"
          data-action="use-character"
          aria-pressed={row.current}
          aria-label={row.current ? words.characterUsed(name) : words.useCharacter(name)}
          onClick={() => !row.current && send({ type: 'choose', character: row.id })}
        >
          {row.current ? words.used : words.use}
        </button>
      </div>
    </li>
  );
}

function Unavailable({ characters: { unavailable } }: { readonly characters: Characters }) {
  const { words } = useShell();
  if (unavailable.length === 0) return null;
  return (
    <>
      <h3>{words.unavailableTitle}</h3>
      <ul class="rows">
        {unavailable.map(({ id, reason }) => (
          <li key={`${id} ${reason}`} class="row" data-unavailable-id={id}>
            <span class="name" dir="auto">
              {id}
            </span>
            <p class="text small" lang="en" dir="auto">
              {reason}
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}
