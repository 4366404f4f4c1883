import { describe, expect, it } from 'vitest';
import { vendorForm } from '../../../server/registry/capabilities/vendor.internal.companion.form.ts';
import { faultsOf } from '../../../server/registry/validate.ts';
import { CompanionError } from '../../companion-error.ts';
import { fromForm, toForm } from './elicitation.ts';

const form = (properties: object, required: readonly string[] = []) =>
  toForm({ message: 'Please fill in', requestedSchema: { type: 'object', properties, required } } as never);

describe('an elicitation as a form', () => {
  it.each([
    ['a text', { type: 'string', minLength: 1, maxLength: 9 }, { type: 'string', minLength: 1, maxLength: 9 }],
    ['a number', { type: 'number', minimum: 0.5 }, { type: 'number', minimum: 0.5 }],
    ['a whole number', { type: 'integer', maximum: 5 }, { type: 'integer', maximum: 5 }],
    ['a switch', { type: 'boolean' }, { type: 'boolean' }],
    [
      'a choice',
      { type: 'string', enum: ['a', 'b'] },
      {
        type: 'enum',
        options: [
          { id: 'a', label: 'a' },
          { id: 'b', label: 'b' },
        ],
      },
    ],
    [
      'a choice with names',
      { type: 'string', enum: ['a'], enumNames: ['Alpha'] },
      { type: 'enum', options: [{ id: 'a', label: 'Alpha' }] },
    ],
    [
      'a choice with titles',
      { type: 'string', oneOf: [{ const: 'a', title: 'Alpha' }] },
      { type: 'enum', options: [{ id: 'a', label: 'Alpha' }] },
    ],
  ])('has %s where that has one', (_, schema, field) => {
    const params = form({ x: schema, y: { ...schema, title: 'Why' } }, ['y']);
    expect(params).toEqual({
      title: 'Please fill in',
      fields: [
        { id: 'x', label: 'x', required: false, ...field },
        { id: 'y', label: 'Why', required: true, ...field },
      ],
    });
    expect(faultsOf(vendorForm.input, params)).toEqual([]);
  });

  it('tells in words what a form has no place for', () => {
    const [field] = form({ mail: { type: 'string', description: 'Yours', format: 'email', default: 'a@b' } })
      .fields as readonly object[];
    expect(field).toMatchObject({ description: 'Yours · Format: email · Default: a@b' });
  });

  it('shows a long message whole', () => {
    const message = `${'word '.repeat(50)}\nsecond line`;
    const { title, details } = toForm({ message, requestedSchema: { type: 'object', properties: {} } });
    expect([...String(title)].length).toBe(160);
    expect(details).toBe(message);
  });

  it.each([
    ['several picks', { x: { type: 'array', items: { enum: ['a'] } } }, '/requestedSchema/properties/x/type'],
    ['a nested object', { x: { type: 'object' } }, '/requestedSchema/properties/x/type'],
    ['no schema', { x: true }, '/requestedSchema/properties/x'],
  ])('does not take %s, and says where', (_, properties, path) => {
    let thrown: unknown;
    try {
      form(properties);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(CompanionError);
    expect((thrown as CompanionError).code).toBe('INVALID_PARAMS');
    expect((thrown as CompanionError).details).toEqual({ path });
  });

  it('brings its answer back flat', () => {
    expect(fromForm({ values: { x: 1 } })).toEqual({ x: 1 });
    expect(fromForm(null)).toBeNull();
  });
});
