/** Options of creates, updates and patches: valid and refused ones. */
import { describe, expect, it } from 'vitest';
import { type OptionsKind, readWriteOptions } from '../../../../runtime/write/write.js';
import { verbRequest } from '../../../support/verb-requests.js';

const read = (search: string, kind: OptionsKind = 'CreateOptions', headers: Record<string, string> = {}) =>
  readWriteOptions(verbRequest({ search, headers }), kind);

const optionsOf = (...args: Parameters<typeof read>) => {
  const options = read(...args);
  if (!options.ok) throw new Error(options.failure.message);
  return options.value;
};

const messageOf = (...args: Parameters<typeof read>): string => {
  const options = read(...args);
  return options.ok ? '' : options.failure.message;
};

describe('write options', () => {
  it('have defaults', () => {
    expect(optionsOf('')).toEqual({
      dryRun: false,
      manager: 'unknown',
      fieldValidation: 'Warn',
      force: false,
      object: { kind: 'CreateOptions', apiVersion: 'meta.platform.io/v1' },
    });
  });

  it('belong to each client and verb, however often the same query comes', () => {
    const search = 'fieldValidation=Ignore';
    expect(optionsOf(search, 'PatchOptions', { 'user-agent': 'one/1' }).manager).toBe('one');
    expect(optionsOf(search, 'PatchOptions', { 'user-agent': 'two/1' }).manager).toBe('two');
    expect(optionsOf(search, 'UpdateOptions').object.kind).toBe('UpdateOptions');
    expect(messageOf('force=true', 'PatchOptions')).toBe(messageOf('force=true', 'PatchOptions'));
    expect(optionsOf('force=true', 'CreateOptions').force).toBe(true);
  });

  it('are read from the query, and passed to admission unchanged', () => {
    const search = 'dryRun=All&fieldManager=me&fieldValidation=Strict&force=true';
    expect(optionsOf(search, 'ApplyOptions')).toEqual({
      dryRun: true,
      manager: 'me',
      fieldValidation: 'Strict',
      force: true,
      object: {
        kind: 'PatchOptions',
        apiVersion: 'meta.platform.io/v1',
        dryRun: ['All'],
        fieldManager: 'me',
        fieldValidation: 'Strict',
        force: true,
      },
    });
  });

  it.each([['fieldManager='], ['fieldValidation='], ['dryRun'], ['dryRun=&dryRun=']])('may be empty: %s', (search) => {
    expect(optionsOf(search)).toEqual(optionsOf(''));
  });

  it.each<[string, OptionsKind, string]>([
    ['dryRun=Some', 'CreateOptions', 'dryRun: Unsupported value: []string{"Some"}: supported values: "All"'],
    [
      'dryRun=All&dryRun=x',
      'CreateOptions',
      'dryRun: Unsupported value: []string{"All", "x"}: supported values: "All"',
    ],
    [
      'fieldValidation=strict',
      'UpdateOptions',
      'fieldValidation: Unsupported value: "strict": supported values: "", "Ignore", "Strict", "Warn"',
    ],
    ['force=true', 'PatchOptions', 'force: Forbidden: may not be specified for non-apply patch'],
    ['', 'ApplyOptions', 'fieldManager: Required value: is required for apply patch'],
    [`fieldManager=${'m'.repeat(129)}`, 'CreateOptions', 'fieldManager: Too long: must have at most 128 bytes'],
    [
      'fieldManager=%C3%A9%0A',
      'CreateOptions',
      String.raw`fieldManager: Invalid value: "é\n": invalid character U+000A (at position 2)`,
    ],
  ])('%s for %s', (search, kind, message) => {
    expect(messageOf(search, kind)).toMatch(/\.meta\.platform\.io "" is invalid: /);
    expect(messageOf(search, kind)).toContain(message);
  });

  it('are refused all at once, under the name of their kind', () => {
    expect(read('dryRun=x&fieldValidation=x', 'ApplyOptions')).toMatchObject({
      failure: { reason: 'Invalid', details: { kind: 'PatchOptions', causes: { length: 3 } } },
    });
  });
});

describe('the manager of a client that names none', () => {
  it.each([
    ['kubectl/v1.27 (linux)', 'kubectl'],
    ['plain', 'plain'],
    ['my tool/1', 'my tool'],
    ['bad\u0007name/1', 'badname'],
    ['/1', 'unknown'],
    ['', 'unknown'],
    [`${'é'.repeat(100)}/1`, 'é'.repeat(64)],
  ])('of the agent %j is %j', (agent, manager) => {
    expect(optionsOf('', 'CreateOptions', { 'user-agent': agent }).manager).toBe(manager);
  });

  it('has as many bytes as a named one may have', () => {
    expect(optionsOf(`fieldManager=${'m'.repeat(128)}`).manager).toHaveLength(128);
  });
});
