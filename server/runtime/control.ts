/** `vendor.internal.companion.control`: the user's own switches from outside; they work while access is off, as the user's hand does (R17). */
import type { Settings } from '../protocol/settings.ts';
import type { vendorControl } from '../registry/methods/vendor.internal.companion.control.ts';
import type { Static } from '../registry/schema.ts';
import type { Handlers } from './call.ts';
import type { Engine } from './engine.ts';

type ControlParams = Static<(typeof vendorControl)['params']>;

const patchOf = ({ action, on = false }: ControlParams): Partial<Settings> => {
  switch (action) {
    case 'show':
    case 'hide':
      return { hidden: action === 'hide' };
    case 'pause':
    case 'resume':
      return { paused: action === 'pause' };
    case 'dnd':
      return { doNotDisturb: on };
  }
};

/** Answers with the switches as they stand once the change is on disk. Errors: RUNTIME_UNAVAILABLE. */
export const createControl =
  (engine: Engine): Handlers[(typeof vendorControl)['name']] =>
  async (params) => {
    await engine.submit({ type: 'settings', patch: patchOf(params) });
    const { hidden, paused, doNotDisturb } = engine.state().settings;
    return { hidden, paused, doNotDisturb };
  };
