/** The frame of the pages: a title that gets the focus the user has just asked for, a way to close, and room that scrolls. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { PageName } from '../model.ts';
import { useShell } from '../shell.ts';
import { CloseIcon } from './icons.tsx';

interface PanelProps {
  readonly name: PageName;
  readonly title: string;
  readonly children: ComponentChildren;
}

export function Panel({ name, title, children }: PanelProps) {
  const { words, happen } = useShell();
  const heading = useRef<HTMLHeadingElement>(null);
  // At once: who comes from the menu keeps the keyboard.
  useLayoutEffect(() => heading.current?.focus(), []);
  const close = (): void => happen({ type: 'page', page: null });
  return (
    <section
      class="panel"
      data-panel={name}
      role="dialog"
      aria-labelledby="panel-title"
      onKeyDown={(event) => event.key === 'Escape' && close()}
    >
      <header class="card-head">
        <h2 class="title" id="panel-title" tabIndex={-1} ref={heading}>
          {title}
        </h2>
        <button
          type="button"
          class="icon-button"
          data-action="close"
          aria-label={words.close}
          title={words.close}
          onClick={close}
        >
          <CloseIcon />
        </button>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div class="panel-body" data-scroll tabIndex={0} role="region" aria-labelledby="panel-title">
        {children}
      </div>
    </section>
  );
}
