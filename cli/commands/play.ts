/** `companion play celebrate`: an animation by the last word of its ID, looked up in the catalogue. */
import { known } from '../client/known.ts';
import { defineCommand } from '../command.ts';
import { usageError } from '../companion-error.ts';
import { answerRequest, REQUEST_OPTIONS, requestOptions, silent } from '../request.ts';

/** The capability that `name` stands for; a whole ID, which a character pack may have brought, stands for itself. */
async function resolveAnimation(name: string): Promise<string> {
  if (name.includes('.')) return name;
  const { CAPABILITIES } = await import('../../server/registry/catalog.ts');
  const animations = CAPABILITIES.filter(({ kind }) => kind === 'animation').map(({ id }) => id);
  const found = animations.find((id) => id.endsWith(`.${name}`));
  if (found !== undefined) return found;
  const names = animations.map((id) => id.slice(id.lastIndexOf('.') + 1));
  throw usageError(`There is no such animation. There are: ${names.join(', ')}.`);
}

export const play = defineCommand({
  takes: ['ANIMATION'],
  summary: 'Play an animation of the character.',
  about: null,
  output: 'plain',
  options: {
    loops: { kind: 'number', value: 'N', help: 'how many times' },
    ...REQUEST_OPTIONS,
  },
  examples: ['companion play celebrate', 'companion play work --loops 3 --wait'],
  run: async (context) => {
    const { words, values } = context;
    const capability = await resolveAnimation(words[0]!);
    const client = await context.connect();
    const params = known({ loops: values.loops });
    const accepted = await client.create({ capability, params, ...requestOptions(values) });
    return answerRequest(context, client, accepted, { limit: values.wait, orphan: false, plain: silent });
  },
});
