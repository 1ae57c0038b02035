/** Emits how objects of a version become those of the stored one, and back, as straight-line code. */
import { compileConversion } from '../../../runtime/schema/index.js';
import type { ResourceModel, VersionModel } from '../../model/model.js';
import type { OutputFile } from '../../write/output-file.js';
import type { Emitter } from '../emitter.js';
import { headerFor, resourceFolder } from '../layout.js';
import { shareEqual } from '../share-equal.js';

const conversionFile = (resource: ResourceModel, version: VersionModel): readonly OutputFile[] => {
  const steps = version.conversion?.steps ?? [];
  if (steps.length === 0) return [];
  const path = `${resourceFolder(resource, version)}/conversion.ts`;
  return [{ path, content: `${headerFor([resource.source])}\n\n${compileConversion(steps, 'ts')}` }];
};

export const conversionEmitter: Emitter = {
  name: 'conversion',
  emitResource: (resource) => shareEqual(resource.versions.flatMap((version) => conversionFile(resource, version))),
};
