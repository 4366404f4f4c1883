/** Claude Code's tool that asks the user something: one question is a choice here, several are answered in words. */
import type { Fields } from '../../../../server/protocol/json-object.ts';
import type { PromptOption } from '../adapter.ts';
import { toLine, toProse } from '../text.ts';
import { asText, objectsIn } from './values.ts';

const MAX_QUESTION = 160;
const MAX_DETAILS = 3_900;
const MAX_OPTIONS = 5;

export interface ClaudeQuestion {
  readonly question: string;
  readonly options: readonly PromptOption[];
  readonly details?: string;
  /** The tool's input with what was chosen in it; null when the answer is in words. */
  read(value: string): Fields | null;
}

/** What is told to Claude when the answer is none of its own. */
export const answeredInWords = (words: string): string => `The user answered in words: ${words}`;

const optionsOf = (question: Fields): readonly { label: string; description: string | null }[] =>
  objectsIn(question.options).flatMap(({ label, description }) =>
    typeof label === 'string' && toLine(label, MAX_QUESTION) !== undefined
      ? [{ label, description: asText(description) }]
      : [],
  );

/** The questions in the tool's input; null when there is none to be found. */
export function questionPrompt(input: Fields): ClaudeQuestion | null {
  const questions = objectsIn(input.questions).filter(({ question }) => typeof question === 'string');
  const [first] = questions;
  const title = toLine(asText(first?.question) ?? '', MAX_QUESTION);
  if (first === undefined || title === undefined) return null;
  const options = optionsOf(first);
  const isChoice =
    questions.length === 1 &&
    first.multiSelect !== true &&
    options.length >= 2 &&
    options.length <= MAX_OPTIONS &&
    new Set(options.map(({ label }) => label)).size === options.length;
  const details = toProse(isChoice ? choiceText(title, first) : questions.map(listText).join('\n\n'), MAX_DETAILS);
  return {
    question: questions.length === 1 ? title : `Claude has ${questions.length} questions`,
    options: isChoice ? options.map(({ label }) => ({ value: label, label })) : [],
    ...(details !== undefined && { details }),
    read: (value) =>
      isChoice && options.some(({ label }) => label === value)
        ? { ...input, answers: { [String(first.question)]: value } }
        : null,
  };
}

/** What the options mean, and the question where it did not fit on its line. */
function choiceText(title: string, question: Fields): string {
  const meanings = optionsOf(question).flatMap(({ label, description }) =>
    description === null || description === '' ? [] : [`${label}: ${description}`],
  );
  return [...(title === question.question ? [] : [String(question.question)]), ...meanings].join('\n');
}

const listText = (question: Fields): string =>
  [String(question.question), ...optionsOf(question).map(({ label }) => `- ${label}`)].join('\n');
