/** Makes the resource module of one version, for a server that is given definitions instead of generated code. */
import type { ProtobufSchema, ResourceModule, SchemaFunctions } from '../../runtime/contract/index.js';
import { compileSchema, instantiate, instantiateConversion } from '../../runtime/schema/index.js';
import { describeResource } from './describe.js';
import type { ResourceModel, VersionModel } from './model.js';

const compile = ({ decoding, names }: ResourceModel, { name, schema }: VersionModel): SchemaFunctions =>
  instantiate(compileSchema(schema, { decoding, kind: names.kind, version: name, language: 'js' }).text);

/** Compiles when somebody asks for the functions: large schemas take tens of milliseconds, and few are used at once. */
export const moduleOf = (
  resource: ResourceModel,
  version: VersionModel,
  protobuf: ProtobufSchema | undefined,
): ResourceModule => {
  let functions: SchemaFunctions | undefined;
  const steps = version.conversion?.steps ?? [];
  return {
    ...describeResource(resource, version),
    ...(protobuf === undefined ? {} : { protobuf }),
    schema: version.schema,
    ...(steps.length === 0 ? {} : { conversion: instantiateConversion(steps) }),
    get functions() {
      functions ??= compile(resource, version);
      return functions;
    },
  };
};
