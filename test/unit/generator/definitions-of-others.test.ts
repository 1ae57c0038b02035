/** All tests with the definitions of all other projects, because reading these takes longest. */
import { existsSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadDefinitions } from '../../../generator/check/load-definitions.js';
import { shared } from '../../support/shared.js';
import { emit, numbered, parse } from './emit/proto-files.js';

const folder = shared('crds', 'definitions');

describe.skipIf(!existsSync(folder))('definitions of other projects (skipped without ../shared)', () => {
  let loaded: ReturnType<typeof loadDefinitions>;
  beforeAll(() => {
    loaded = loadDefinitions(folder);
  });

  it('are free of errors', () => {
    expect(loaded.diagnostics.filter((each) => each.severity === 'error')).toEqual([]);
    expect(loaded.model.resources.length).toBeGreaterThan(300);
  });

  it('are printed as protobuf', () => {
    const files = parse(emit(numbered(loaded.model)));
    expect([...files.values()].flatMap((file) => Object.keys(file.messages)).length).toBeGreaterThan(39_000);
  });
});
