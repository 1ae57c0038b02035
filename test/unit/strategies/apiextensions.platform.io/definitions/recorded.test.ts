/** Holds the strategy of definitions against what a real kube-apiserver 1.27 answered to creates of definitions. */
import { describe, expect, it } from 'vitest';
import { kubernetesNaming } from '../../../../../runtime/objects/naming.js';
import { defineCustomResourceDefinitions } from '../../../../../strategies/apiextensions.platform.io/customresourcedefinitions.js';
import { createDefinition } from '../../../../support/definitions.js';
import { causesOf, createsIn, lineOf, partOf, scenariosOf } from '../../../../support/recorded-creates.js';
import { hasShared } from '../../../../support/shared.js';

const handlers = defineCustomResourceDefinitions(kubernetesNaming, { emulatedVersion: '1.27' });

/** Errors of an object's name, which the server itself finds. */
const ofName = /^metadata\.name: .*(a lowercase RFC 1123|must be no more than|Required value)/;

/**
 * Without what differs each time. Of what is wrong with an expression its first mistake is compared, by its place:
 * later ones follow from it, and its words are compared with the expression engine.
 */
const comparable = (lines: readonly string[]): string[] =>
  lines
    .filter((line) => !ofName.test(line))
    .map((line) => line.replace(/\(0x[0-9a-f]+\)/g, '(<address>)'))
    .map((line) => line.replace(/(compilation failed: ERROR: <input>:\d+:\d+: ).*/s, '$1'))
    .sort();

/** The lines of a message that says all that is wrong with a definition. */
const inMessage = (message: string, lines: readonly string[]): readonly string[] =>
  comparable(lines).filter((line) => !message.includes(line.replace(/ \([A-Za-z]+\)$/, '')));

describe.skipIf(!hasShared)('recorded definitions (skipped where the recordings are not beside the checkout)', () => {
  const creates = (hasShared ? ['crd', 'cel'] : [])
    .flatMap((area) => scenariosOf(area).flatMap(createsIn))
    .filter(({ plural, code }) => plural === 'customresourcedefinitions' && (code === 201 || code === 422));

  it('accepts and refuses the same, for the same reasons', () => {
    const wrong: string[] = [];
    let compared = 0;
    for (const { step, object, code, answer, query } of creates) {
      if (object === undefined || query.get('fieldValidation') === 'Sometimes') continue;
      const found = (createDefinition(handlers, object)?.errors ?? []).map(lineOf);
      const causes = causesOf(answer);
      const message = partOf(answer, 'message');
      if (causes?.every((line) => ofName.test(line)) === true) continue;
      compared++;
      if ((code === 201) !== (found.length === 0)) wrong.push(`${step}: ${code}, found ${found.join('; ')}`);
      if (causes !== undefined) {
        const [theirs, ours] = [comparable(causes).join('\n'), comparable(found).join('\n')];
        if (ours !== theirs) wrong.push(`${step}: ${theirs}\n-- found ${ours}`);
      } else if (code === 422 && typeof message === 'string') {
        const unknown = inMessage(message, found);
        if (unknown.length > 0) wrong.push(`${step}: ${message}\n-- found ${unknown.join('\n')}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(300);
  });
});
