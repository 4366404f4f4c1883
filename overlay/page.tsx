/** The whole page: the open panel, the stack of cards, and the figure with its badge and menu. */
import type { Placed } from './arrange.ts';
import { isStill, type Model, PAIRING_KEY, shownPage, showsFigure, WELCOME_KEY } from './model.ts';
import { AccessPage } from './parts/access-page.tsx';
import { AnswersPage } from './parts/answers-page.tsx';
import { CardFrame } from './parts/card.tsx';
import { GalleryPage } from './parts/gallery-page.tsx';
import { FigureIcon } from './parts/icons.tsx';
import { Menu } from './parts/menu.tsx';
import { Pairing } from './parts/pairing.tsx';
import { Sessions } from './parts/sessions.tsx';
import { Welcome } from './parts/welcome.tsx';
import { openPage, useShell } from './shell.ts';
import { Figure } from './views/clip.tsx';

interface PageProps {
  readonly model: Model;
  readonly places: readonly Placed[];
  /** Cards that found no room: they wait like those the host keeps back. */
  readonly leftOut: number;
  /** The user wants to see the next card that waits. */
  readonly leaf: () => void;
  readonly canvas: HTMLCanvasElement;
  readonly setDragged: (dragged: boolean) => void;
}

export function Page({ model, places, leftOut, leaf, canvas, setDragged }: PageProps) {
  const { words, happen, shaped } = useShell();
  const { scene, menu } = model;
  const page = shownPage(model);
  if (scene === null) return null;
  const { settings } = scene;
  const waiting = scene.waiting + leftOut;
  // In a window that can be seen through, hidden means that nothing is there.
  if (settings.hidden) return shaped ? null : <ShowAgain />;
  const closeMenu = (): void => {
    happen({ type: 'menu', open: false });
    // In a window of ours who is done with the menu goes back to where they came from.
    if (!shaped) document.querySelector<HTMLElement>('.figure')?.focus();
  };
  return (
    <>
      {page === 'access' && <AccessPage settings={settings} access={model.access} />}
      {page === 'answers' && <AnswersPage answers={model.answers} />}
      {page === 'characters' && (
        <GalleryPage characters={model.characters} notChosen={model.notChosen} still={isStill(model)} />
      )}
      <section class="stack" aria-label={words.cards} aria-live="polite" aria-relevant="additions">
        {places.map((place) => (
          <Piece key={place.key} model={model} place={place} />
        ))}
      </section>
      {showsFigure(scene) && (
        <footer class="foot">
          <Sessions sessions={scene.sessions} copied={model.copied} />
          <Badges waiting={waiting} missed={settings.doNotDisturb ? 0 : scene.missed} leaf={leaf} />
          <div class="figure-place">
            <Figure
              canvas={canvas}
              settings={settings}
              menuOpen={menu}
              cue={scene.clip !== null && isStill(model)}
              setDragged={setDragged}
            />
          </div>
          {menu && (
            <Menu settings={settings} missed={scene.missed} monitors={model.place?.monitors ?? []} close={closeMenu} />
          )}
        </footer>
      )}
    </>
  );
}

interface BadgesProps {
  readonly waiting: number;
  readonly missed: number;
  readonly leaf: () => void;
}

/** What waits, and what was kept from the user while they were not to be disturbed. */
function Badges({ waiting, missed, leaf }: BadgesProps) {
  const shell = useShell();
  const { words } = shell;
  if (waiting === 0 && missed === 0) return null;
  return (
    <div class="badges">
      {missed > 0 && (
        <button
          type="button"
          class="badge"
          data-role="missed"
          data-count={missed}
          title={words.missedHint}
          onClick={() => openPage(shell, 'answers')}
        >
          {words.missed(missed)}
        </button>
      )}
      {waiting > 0 && (
        <button
          type="button"
          class="badge"
          data-role="waiting"
          data-count={waiting}
          title={words.waitingHint(waiting)}
          onClick={leaf}
        >
          {words.waiting(waiting)}
        </button>
      )}
    </div>
  );
}

/** One thing in the stack. A place without its thing (it has just gone) is empty. */
function Piece({ model, place }: { readonly model: Model; readonly place: Placed }) {
  const { scene } = model;
  if (scene === null) return null;
  if (place.key === WELCOME_KEY) return <Welcome place={place} />;
  if (place.key.startsWith(`${PAIRING_KEY}:`))
    return (
      scene.pairing && (
        <Pairing
          pairing={scene.pairing}
          waiting={scene.pairingsWaiting}
          keptMs={scene.resultRetentionMs}
          place={place}
        />
      )
    );
  const card = scene.cards.find(({ requestId }) => requestId === place.key);
  if (card === undefined) return null;
  return (
    <CardFrame
      card={card}
      place={place}
      busy={model.sent.has(place.key)}
      trouble={model.troubles.get(place.key) ?? null}
    />
  );
}

/** All that is left while the figure is hidden. */
function ShowAgain() {
  const { words, send } = useShell();
  return (
    <button
      type="button"
      class="badge show"
      data-action="show"
      onClick={() => send({ type: 'settings', patch: { hidden: false } })}
    >
      <FigureIcon /> {words.show}
    </button>
  );
}
