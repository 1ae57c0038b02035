/** Rules on the markers that only native definitions have: each must be on a field that it applies to. */
import type { Schema } from '../../../runtime/contract/index.js';
import { nameFormat, nameFormats } from '../../../runtime/objects/names/names.js';
import { isReached } from '../../../runtime/objects/release.js';
import { didYouMean } from '../../../runtime/objects/suggest.js';
import { lifetimeOf } from '../../../runtime/schema/schema-in-release.js';
import { type Say, type SchemaNode, writes } from './schema-node.js';

/** Checks the markers of a node. */
export function checkMarkers(node: SchemaNode, say: Say): void {
  if (!node.isNative) return;
  checkNameFormat(node, say);
  checkUnique(node, say);
  checkNonEmpty(node, say);
  checkTime(node, say);
  checkMessages(node, say);
  checkMergeKey(node, say);
  checkFeatureGate(node, say);
  checkLifetime(node, say);
}

function checkNameFormat(node: SchemaNode, say: Say): void {
  const key = 'x-kindforge-name-format';
  const format = node.schema[key];
  if (format === undefined || !writes(node, key)) return;
  if (nameFormat(format) === undefined) {
    say('KF4020', key, `name format \`${format}\` does not exist`, didYouMean(format, nameFormats) ?? listFormats());
  } else onlyOn(node, key, ['string'], say);
}

/** Lists the known name formats, for a suggestion. */
export function listFormats(): string {
  return `choose one of ${nameFormats.join(', ')}`;
}

function checkUnique(node: SchemaNode, say: Say): void {
  const key = 'x-kindforge-unique';
  const property = node.schema[key];
  if (property === undefined || !writes(node, key) || !onlyOn(node, key, ['array'], say) || property === '.') return;
  const properties = node.schema.items?.properties ?? {};
  if (Object.hasOwn(properties, property)) return;
  say('KF3025', key, `the items have no property \`${property}\``, () => didYouMean(property, Object.keys(properties)));
}

function checkNonEmpty(node: SchemaNode, say: Say): void {
  const key = 'x-kindforge-non-empty';
  if (writes(node, key)) onlyOn(node, key, ['string', 'array', 'object'], say);
}

function checkTime(node: SchemaNode, say: Say): void {
  const key = 'x-kindforge-time';
  if (!writes(node, key) || node.schema.format === 'date-time') return;
  say('KF3025', key, `\`${key}\` is only for \`format: date-time\``);
}

function checkMessages(node: SchemaNode, say: Say): void {
  const key = 'x-kindforge-messages';
  if (!writes(node, key)) return;
  const known = new Set([...Object.keys(node.schema), 'required']);
  for (const keyword of Object.keys(node.schema[key] ?? {})) {
    if (known.has(keyword)) continue;
    say(
      'KF4021',
      [key, keyword],
      `the field has no keyword \`${keyword}\` for this message`,
      didYouMean(keyword, known),
    );
  }
}

/** Checks that a field with a feature gate is optional. */
function checkFeatureGate(node: SchemaNode, sayAt: Say): void {
  const key = 'x-kindforge-feature-gate';
  if (!writes(node, key)) return;
  const { name, level, parent, schema } = node;
  const say = (message: string): void => sayAt('KF3025', key, message);
  if (level !== 'field') say('only properties can have a feature gate');
  else if (parent?.schema.required?.includes(name)) say(`\`${name}\` is required and cannot have a feature gate`);
  else if (schema['x-kindforge-presence'] === 'always' || schema['x-kindforge-presence'] === 'nullable')
    say(`\`${name}\` is always present and cannot have a feature gate`);
}

/** Checks that only fields come and go with releases, and come before they go. */
function checkLifetime(node: SchemaNode, say: Say): void {
  const { introduced, removed } = lifetimeOf(node.schema);
  for (const key of ['x-kindforge-introduced', 'x-kindforge-removed'] as const)
    if (writes(node, key) && node.level !== 'field') say('KF3025', key, `\`${key}\` is only for properties`);
  if (removed !== undefined && isReached(removed, introduced ?? '') && writes(node, 'x-kindforge-removed'))
    say('KF3025', 'x-kindforge-removed', `the field is removed in ${removed}, but introduced in ${introduced}`);
}

function checkMergeKey(node: SchemaNode, say: Say): void {
  const key = 'x-kubernetes-patch-merge-key';
  const property = node.schema[key];
  if (property === undefined || !writes(node, key) || !onlyOn(node, key, ['array'], say)) return;
  const properties = node.schema.items?.properties ?? {};
  if (Object.hasOwn(properties, property) || node.schema.items?.['x-kubernetes-preserve-unknown-fields'] === true)
    return;
  say('KF3025', key, `the items have no property \`${property}\``, () => didYouMean(property, Object.keys(properties)));
}

/** Returns whether the node has one of the types of a marker, and reports it if not. */
function onlyOn(node: SchemaNode, key: string, types: readonly Schema['type'][], say: Say): boolean {
  if (node.schema.type === undefined || types.includes(node.schema.type)) return true;
  say('KF3025', key, `\`${key}\` is only for ${types.map((type) => `\`type: ${type}\``).join(', ')}`);
  return false;
}
