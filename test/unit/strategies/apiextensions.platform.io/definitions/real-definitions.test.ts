/** Creates the definitions of other projects. A real server took all of them. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decodeYaml } from '../../../../../runtime/codec/yaml/yaml.js';
import { isObject } from '../../../../../runtime/objects/guards.js';
import { kubernetesNaming } from '../../../../../runtime/objects/names/naming.js';
import { defineCustomResourceDefinitions } from '../../../../../strategies/apiextensions.platform.io/customresourcedefinitions.js';
import { createDefinition } from '../../../../support/definitions.js';
import { contextOf } from '../../../../support/handlers-suite.js';
import { lineOf } from '../../../../support/recorded-scenarios.js';
import { hasShared, shared } from '../../../../support/shared.js';

const handlers = defineCustomResourceDefinitions(kubernetesNaming);

/** Yields files with one definition each. */
function* filesIn(folder: string): Generator<string> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* filesIn(path);
    else yield path;
  }
}

describe.skipIf(!hasShared)('definitions of other projects (skipped if they are not beside the checkout)', () => {
  it('are created and can be updated', { timeout: 300_000 }, () => {
    const wrong: string[] = [];
    let created = 0;
    for (const file of hasShared ? filesIn(shared('crds', 'definitions')) : []) {
      const decoded = decodeYaml(readFileSync(file, 'utf8'));
      if (!decoded.ok || !isObject(decoded.value)) throw new Error(`cannot read ${file}`);
      const found = createDefinition(handlers, decoded.value);
      if (found === undefined) throw new Error(`cannot be read as a definition: ${file}`);
      const { definition, errors } = found;
      const ofUpdate = handlers.validateUpdate?.(definition, definition, contextOf()) ?? [];
      for (const error of [...errors, ...ofUpdate]) wrong.push(`${file}: ${lineOf(error)}`);
      created++;
    }
    expect(wrong).toEqual([]);
    expect(created).toBeGreaterThan(300);
  });
});
