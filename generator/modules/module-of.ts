/** Makes the resource module of one version, for a server that is given definitions instead of generated code. */
import { instantiateExpressions } from '../../runtime/cel/index.js';
import type {
  Conversion,
  ProtobufSchema,
  ResourceCode,
  ResourceModule,
  SchemaFunctions,
} from '../../runtime/contract/index.js';
import { compileSchema, instantiate, instantiateConversion } from '../../runtime/schema/index.js';
import { convertedSchemas } from '../model/converted-schemas.js';
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
    ...(steps.length === 0 ? {} : { conversion: conversionOf(resource, version) }),
    ...(protobuf === undefined ? {} : { protobuf }),
    // OpenAPI documents need the schema alone.
    get functions() {
      functions ??= compile(resource, version);
      return functions;
    },
  };
}

function conversionOf(resource: ResourceModel, version: VersionModel): Conversion {
  const steps = version.conversion?.steps ?? [];
  return instantiateConversion(steps, instantiateExpressions(steps, convertedSchemas(resource, version)));
}

const compile = ({ decoding, names }: ResourceModel, { name, schema }: VersionModel): SchemaFunctions =>
  instantiate(compileSchema(schema, { decoding, kind: names.kind, version: name, language: 'js' }).text);
