/** Asks every rule about one resource definition. */
import { nameFormat, nameFormats } from '../../runtime/objects/names/names.js';
import { didYouMean } from '../../runtime/objects/suggest.js';
import { get, isObject, list, string } from '../../runtime/schema/read.js';
import type { Path, Report } from '../diagnostics/problem.js';
import { extentOf, isWithinBounds, MAX_SCHEMA_NODES } from '../model/extent.js';
import type { ResourceModel } from '../model/model.js';
import { findReferences } from '../model/references.js';
import { checkColumns } from './columns.js';
import { checkConversion } from './conversion/conversion.js';
import { checkVersionClashes } from './conversion/version-clashes.js';
import { checkVersionConversions } from './conversion/version-conversion.js';
import type { Definition } from './format/document-kind.js';
import { checkFormat } from './format/format.js';
import { usesTooLarge } from './library.js';
import { checkResourceNames } from './resource-names.js';
import { createDefaultCheck } from './schema/defaults.js';
import { listFormats } from './schema/markers.js';
import { type ReferenceContext, referenceRule } from './schema/references.js';
import { schemaRules, valueRules } from './schema/rules.js';
import { below } from './schema/schema-node.js';
import { checkStructure } from './schema/structure.js';
import { checkRules } from './schema/validations.js';
import { walkSchema } from './schema/walk.js';
import { checkSelectableFields } from './selectable-fields.js';
import { checkSubresources } from './subresources.js';
import { checkVerbs } from './verbs.js';
import { checkVersions } from './versions.js';

/** Reports what keeps a definition from being read as what it says; what it says may still be nonsense. */
export function checkShape(definition: Definition, resource: ResourceModel, report: Report): void {
  checkFormat(definition, report);
  checkResourceNames(definition, report);
  checkVersions(definition, resource, report);
}

/** Reports everything that is wrong with a definition by itself; `resource` is what was read of it. */
export function checkDefinition(
  definition: Definition,
  resource: ResourceModel,
  context: ReferenceContext,
  report: Report,
): void {
  const { kind, value } = definition;
  const isNative = kind === 'ResourceDefinition';
  checkShape(definition, resource, report);
  if (isNative) {
    checkNameRule(definition, report);
    checkVerbs(definition, resource, report);
    checkVersionConversions(resource, report);
  } else checkConversion(value, report);
  checkVersionClashes(value, resource, report);
  list(get(get(value, 'spec'), 'versions')).forEach((raw, index) => {
    const version = resource.versions[index];
    if (version === undefined || !isObject(raw)) return;
    const path: Path = ['spec', 'versions', index, 'schema', 'openAPIV3Schema'];
    const root = get(get(raw, 'schema'), 'openAPIV3Schema');
    if (!isWithinBounds(extentOf(version.schema))) {
      if (usesTooLarge(findReferences(root), context)) return;
      report({
        code: 'KF3022',
        path,
        at: 'key',
        message: `with all its references the schema has more than ${MAX_SCHEMA_NODES} fields`,
      });
      return;
    }
    const defaults = createDefaultCheck();
    const rules = [referenceRule(context), ...schemaRules, defaults.rule];
    const hasStatus = version.subresources.some(({ name }) => name === 'status');
    checkStructure({ raw: root, schema: version.schema, path, level: 'root', isNative, hasStatus }, report);
    walkSchema(root, version.schema, below(undefined, ...path), 'root', { isNative, rules, valueRules, report });
    defaults.finish(report);
    checkRules(root, version.schema, path, true, report);
    checkColumns(raw, version, index, isNative, report);
    checkSubresources(raw, version, index, isNative, report);
    checkSelectableFields(raw, version, index, isNative, report);
  });
}

function checkNameRule({ value }: Definition, report: Report): void {
  const format = string(get(get(get(value, 'spec'), 'nameRule'), 'format'));
  if (format === undefined || nameFormat(format) !== undefined) return;
  const suggestion = didYouMean(format, nameFormats) ?? listFormats();
  report({
    code: 'KF4020',
    path: ['spec', 'nameRule', 'format'],
    message: `there is no name format \`${format}\``,
    suggestion,
  });
}
