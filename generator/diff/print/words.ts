/** The words for a finding in all formats. */

import { encodeJson } from '../../../runtime/codec/json.js';
import type { JsonObject } from '../../../runtime/contract/index.js';
import { equal } from '../../../runtime/objects/equality.js';
import { plainValue } from '../compare/plain-schema.js';
import type { DefinitionAnswer, Effect, Witness } from '../difference.js';
import type { Finding } from '../finding.js';

const effects: Readonly<Record<Effect, string>> = {
  writers: 'clients that write',
  readers: 'clients that read',
  stored: 'stored objects',
  ownership: 'field ownership',
  wire: 'the wire',
};

/** Lists the affected parties, as in `clients that write, stored objects`. */
export const effectWords = ({ effects: affected }: Finding): string =>
  affected.map((effect) => effects[effect]).join(', ');

/** Keywords outside schemas with a path that the message does not name. */
const pathed: ReadonlySet<string> = new Set(['references', 'unique']);

/** Returns the place in the API, as in `widgets.shop.example.com v1 spec.size`. */
export function subjectOf({ difference }: Finding): string {
  const { resource, version, path, keyword, node } = difference;
  const isNamed = node !== undefined || pathed.has(keyword);
  return [resource, version, isNamed ? path : undefined].filter((part) => part).join(' ');
}

/** Returns a witness in lines: the object, and the answers of both definitions. */
export function witnessLines({ before, object, subresource, old, new: is, owned }: Witness): readonly string[] {
  if (owned !== undefined)
    return [
      `object: ${shown(object)}`,
      `old: its manager owns ${fields(owned.old)}`,
      `new: its manager owns ${fields(owned.new)}`,
    ];
  return [
    ...(before === undefined ? [] : [`stored: ${shown(before)}`]),
    `${before === undefined ? 'object' : 'update'}${subresource === undefined ? '' : ` of ${subresource}`}: ${shown(object)}`,
    `old: ${answerWords(old, object)}`,
    `new: ${answerWords(is, object)}`,
  ];
}

/** Maximum number of printed characters of an object. */
const MAX_SHOWN = 4_000;

/** Prints an object for people. Cuts a large one; only JSON output has it whole. */
function shown(object: JsonObject): string {
  const text = printJson(object);
  if (text.length <= MAX_SHOWN) return text;
  return `${text.slice(0, MAX_SHOWN / 4)}… (${text.length} characters; --format json has all of them)`;
}

const fields = (paths: readonly string[]): string => paths.join(', ') || 'nothing';

function answerWords(answer: DefinitionAnswer, object: JsonObject): string {
  if (!answer.accepted) return `refused: ${answer.causes.join('; ')}`;
  return equal(answer.object, object) ? 'accepted as it is' : `accepted as ${shown(answer.object)}`;
}

/** Prints JSON on one line, or with an indent. Leaves out keys with `undefined`. */
export const printJson = (value: unknown, indent = false): string => encodeJson(plainValue(value) ?? null, indent);
