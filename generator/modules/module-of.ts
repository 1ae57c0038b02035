/** Makes the resource module of one version, for a server that is given definitions instead of generated code. */
import type { ProtobufSchema, ResourceCode, ResourceModule, SchemaFunctions } from '../../runtime/contract/index.js';
import { compileSchema, instantiate, instantiateConversion } from '../../runtime/schema/index.js';
import { describeResource } from '../model/describe.js';
import type { ResourceModel, VersionModel } from '../model/model.js';

/** Nothing is compiled before it is asked for: large schemas take tens of milliseconds, and few are used at once. */
export const moduleOf = (
  resource: ResourceModel,
  version: VersionModel,
  protobuf: ProtobufSchema | undefined,
): ResourceModule => {
  let code: ResourceCode | undefined;
  return {
    ...describeResource(resource, version),
    code: () => {
      code ??= codeOf(resource, version, protobuf);
      return code;
    },
  };
};

function codeOf(resource: ResourceModel, version: VersionModel, protobuf: ProtobufSchema | undefined): ResourceCode {
  let functions: SchemaFunctions | undefined;
  const steps = version.conversion?.steps ?? [];
  return {
    schema: version.schema,
    ...(steps.length === 0 ? {} : { conversion: instantiateConversion(steps) }),
    ...(protobuf === undefined ? {} : { protobuf }),
    // OpenAPI documents need the schema alone.
    get functions() {
      functions ??= compile(resource, version);
      return functions;
    },
  };
}

const compile = ({ decoding, names }: ResourceModel, { name, schema }: VersionModel): SchemaFunctions =>
  instantiate(compileSchema(schema, { decoding, kind: names.kind, version: name, language: 'js' }).text);
