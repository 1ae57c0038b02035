/** Rules on the markers that only native definitions have: each stands on a field that it can speak of. */
import type { Schema } from '../../../runtime/contract/index.js';
import { nameFormat, nameFormats } from '../../../runtime/objects/names.js';
import { didYouMean } from '../../../runtime/objects/suggest.js';
import type { Report } from '../../diagnostics/problem.js';
import { complain, type SchemaNode, writes } from './schema-node.js';

/** Checks the markers of a node. */
export function checkMarkers(node: SchemaNode, report: Report): void {
  if (!node.isNative) return;
  checkNameFormat(node, report);
  checkUnique(node, report);
  checkNonEmpty(node, report);
  checkTime(node, report);
  checkMessages(node, report);
  checkMergeKey(node, report);
  checkFeatureGate(node, report);
  checkIntroduced(node, report);
}

function checkNameFormat(node: SchemaNode, report: Report): void {
  const key = 'x-kindforge-name-format';
  const format = node.schema[key];
  if (format === undefined || !writes(node, key)) return;
  if (nameFormat(format) === undefined) {
    complain(
      report,
      'KF4020',
      node,
      key,
      `there is no name format \`${format}\``,
      didYouMean(format, nameFormats) ?? listFormats(),
    );
  } else onlyOn(node, key, ['string'], report);
}

/** The name formats there are, for a suggestion. */
export function listFormats(): string {
  return `there are ${nameFormats.join(', ')}`;
}

function checkUnique(node: SchemaNode, report: Report): void {
  const key = 'x-kindforge-unique';
  const property = node.schema[key];
  if (property === undefined || !writes(node, key) || !onlyOn(node, key, ['array'], report) || property === '.') return;
  const properties = node.schema.items?.properties ?? {};
  if (Object.hasOwn(properties, property)) return;
  complain(report, 'KF3025', node, key, `the items have no property \`${property}\``, () =>
    didYouMean(property, Object.keys(properties)),
  );
}

function checkNonEmpty(node: SchemaNode, report: Report): void {
  const key = 'x-kindforge-non-empty';
  if (writes(node, key)) onlyOn(node, key, ['string', 'array', 'object'], report);
}

function checkTime(node: SchemaNode, report: Report): void {
  const key = 'x-kindforge-time';
  if (!writes(node, key) || node.schema.format === 'date-time') return;
  complain(report, 'KF3025', node, key, `\`${key}\` is only for \`format: date-time\``);
}

function checkMessages(node: SchemaNode, report: Report): void {
  const key = 'x-kindforge-messages';
  if (!writes(node, key)) return;
  const known = new Set([...Object.keys(node.schema), 'required']);
  for (const keyword of Object.keys(node.schema[key] ?? {})) {
    if (known.has(keyword)) continue;
    complain(
      report,
      'KF4021',
      node,
      [key, keyword],
      `the field has no \`${keyword}\` to give words for`,
      didYouMean(keyword, known),
    );
  }
}

/** What may be dropped has to be a field, and one that objects can do without. */
function checkFeatureGate(node: SchemaNode, report: Report): void {
  const key = 'x-kindforge-feature-gate';
  if (!writes(node, key)) return;
  const { name, level, parent, schema } = node;
  const say = (message: string): void => complain(report, 'KF3025', node, key, message);
  if (level !== 'field') say('only properties can have a feature gate');
  else if (parent?.schema.required?.includes(name)) say(`\`${name}\` is required and cannot have a feature gate`);
  else if (schema['x-kindforge-presence'] === 'always' || schema['x-kindforge-presence'] === 'nullable')
    say(`\`${name}\` is always present and cannot have a feature gate`);
}

/** What an earlier release does not have must be a field that objects of later ones can do without. */
function checkIntroduced(node: SchemaNode, report: Report): void {
  const key = 'x-kindforge-introduced';
  if (!writes(node, key)) return;
  const { name, level, parent } = node;
  if (level !== 'field') complain(report, 'KF3025', node, key, 'only properties can be introduced by a release');
  else if (parent?.schema.required?.includes(name))
    complain(report, 'KF3025', node, key, `\`${name}\` is required, so no release can have been without it`);
}

function checkMergeKey(node: SchemaNode, report: Report): void {
  const key = 'x-kubernetes-patch-merge-key';
  const property = node.schema[key];
  if (property === undefined || !writes(node, key) || !onlyOn(node, key, ['array'], report)) return;
  const properties = node.schema.items?.properties ?? {};
  if (Object.hasOwn(properties, property) || node.schema.items?.['x-kubernetes-preserve-unknown-fields'] === true)
    return;
  complain(report, 'KF3025', node, key, `the items have no property \`${property}\``, () =>
    didYouMean(property, Object.keys(properties)),
  );
}

/** Whether the node has one of the types a marker is for; complains if not. */
function onlyOn(node: SchemaNode, key: string, types: readonly Schema['type'][], report: Report): boolean {
  if (node.schema.type === undefined || types.includes(node.schema.type)) return true;
  complain(
    report,
    'KF3025',
    node,
    key,
    `\`${key}\` is only for ${types.map((type) => `\`type: ${type}\``).join(', ')}`,
  );
  return false;
}
