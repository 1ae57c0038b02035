/** Emits the functions of each resource version: normalize, prune, fill in defaults and validate, as straight-line code. */
import { compileSchema } from '../../runtime/schema/index.js';
import type { Emitter, OutputFile, ResourceModel, VersionModel } from '../model.js';
import { headerFor, resourceFolder } from './layout.js';

const resourceFunctions = (resource: ResourceModel, version: VersionModel): OutputFile => {
  const { text } = compileSchema(version.schema, {
    decoding: resource.decoding,
    kind: resource.names.kind,
    version: version.name,
    language: 'ts',
  });
  const path = `${resourceFolder(resource, version)}/functions.ts`;
  return { path, content: `${headerFor([resource.source])}\n\n${text}` };
};

export const functionsEmitter: Emitter = {
  name: 'functions',
  emitResource: (resource) => resource.versions.map((version) => resourceFunctions(resource, version)),
};
