/** The resources to serve: the generated built-in ones, and those of a folder of definitions. */
import type { ResourceModule, Result } from '../../runtime/contract/index.js';
import { badRequest } from '../../runtime/objects/status.js';

/**
 * Loads what is served. A definition of a built-in resource takes its place. Definitions with errors are refused as a
 * whole, every mistake named.
 */
export async function loadModules(schemas: string | undefined): Promise<Result<readonly ResourceModule[]>> {
  const { registry } = await import('../../generated/registry.js');
  if (schemas === undefined) return { ok: true, value: registry };
  const { loadDefinitions } = await import('../../generator/check/load-definitions.js');
  const { modulesOf } = await import('../../generator/model/modules.js');
  const { printDiagnostic } = await import('../../generator/diagnostics/print.js');
  const { createNumbering } = await import('../../generator/lock/number-model.js');
  const loaded = loadDefinitions(schemas);
  const { model, diagnostics } = createNumbering(schemas)(loaded.model);
  const errors = [...loaded.diagnostics, ...diagnostics].filter((one) => one.severity !== 'warning');
  if (errors.length > 0) {
    return {
      ok: false,
      failure: badRequest(`the definitions have mistakes\n${errors.map(printDiagnostic).join('\n')}`),
    };
  }
  const given = modulesOf(model);
  const replaced = new Set(given.map(resourceOf));
  return { ok: true, value: [...registry.filter((module) => !replaced.has(resourceOf(module))), ...given] };
}

const resourceOf = ({ group, names }: ResourceModule): string => `${group}/${names.plural}`;
