/** Reads one suite of texts with the reader of definitions and the reader of request bodies. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseYaml } from '../../../../generator/load/parse-yaml.js';
import { decodeYaml } from '../../../../runtime/codec/yaml/yaml.js';
import { samples } from '../../../support/crds.js';
import { hasShared, shared } from '../../../support/shared.js';
import { type Reading, yamlTexts } from '../../../support/yaml-texts.js';

function definitionOf(text: string): Reading {
  const { documents, problems } = parseYaml(text);
  return problems.length > 0 ? 'refused' : { value: documents[0] ?? null };
}

function bodyOf(text: string): Reading {
  const decoded = decodeYaml(text);
  return decoded.ok ? { value: decoded.value } : 'refused';
}

describe.each(yamlTexts)('$about', ({ text, both, differs }) => {
  it("has the suite's result in definitions", () => {
    expect(definitionOf(text)).toEqual(differs?.definitions ?? both);
  });

  it("has the suite's result in bodies", () => {
    expect(bodyOf(text)).toEqual(differs?.bodies ?? both);
  });

  it.runIf(differs)('has two results for the given reason', () => {
    expect(differs?.definitions).not.toEqual(differs?.bodies);
    expect(differs?.why).not.toBe('');
  });
});

describe.skipIf(!hasShared)('samples of other projects (skipped without ../shared)', () => {
  /** Numbers with a leading zero, and `::` before a bracket. The suite has both. */
  const unlike = /\b0777\b|::\]/;

  it('mean the same to both readers, and both refuse the same text', () => {
    const refused: string[] = [];
    for (const { file } of samples()) {
      const text = readFileSync(shared('crds', 'samples', file), 'utf8');
      if (unlike.test(text)) continue;
      expect({ file, ...asObject(definitionOf(text)) }).toEqual({ file, ...asObject(bodyOf(text)) });
      if (definitionOf(text) === 'refused') refused.push(file);
    }
    expect(refused).toEqual(['argo-rollouts/analysistemplate-06-load-test.yaml']);
  });
});

const asObject = (reading: Reading): object => (reading === 'refused' ? { refused: true } : reading);
