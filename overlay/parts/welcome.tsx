/** First run: outside access is off, and only the user switches it on. */
import type { Placed } from '../arrange.ts';
import { WELCOME_KEY } from '../model.ts';
import { useShell } from '../shell.ts';
import { placeStyle } from './card.tsx';

export function Welcome({ place }: { readonly place: Placed }) {
  const { words, send, happen } = useShell();
  return (
    <section
      class="card"
      data-card={WELCOME_KEY}
      data-style="plain"
      role="group"
      aria-labelledby="welcome-title"
      tabIndex={-1}
      style={placeStyle(place)}
    >
      <div class="card-body" data-scroll>
        <h2 class="title" id="welcome-title">
          {words.welcomeTitle}
        </h2>
        <p class="text">{words.welcomeText}</p>
        <footer class="actions">
          <button type="button" class="button quiet" data-action="later" onClick={() => happen({ type: 'later' })}>
            {words.later}
          </button>
          <button
            type="button"
            class="button primary"
            data-action="enable-access"
            onClick={() => send({ type: 'settings', patch: { access: true } })}
          >
            {words.enableAccess}
          </button>
        </footer>
      </div>
    </section>
  );
}
