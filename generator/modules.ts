/** Makes resource modules straight from definitions, for a server that is given YAML instead of generated code. */
import type { ProtobufSchema, ResourceModule, Schema, SchemaFunctions } from '../runtime/contract/index.js';
import { compileSchema, instantiate, instantiateConversion } from '../runtime/schema/index.js';
import { describeResource } from './describe.js';
import type { Model, ResourceModel, VersionModel } from './model.js';
import { typeSchemas } from './protobuf/plan-model.js';
import { protobufOf } from './protobuf/schema.js';

const compile = ({ decoding, names }: ResourceModel, { name, schema }: VersionModel): SchemaFunctions =>
  instantiate(compileSchema(schema, { decoding, kind: names.kind, version: name, language: 'js' }).text);

/** Compiles when somebody asks for the functions: large schemas take tens of milliseconds, and few are used at once. */
const moduleOf = (
  resource: ResourceModel,
  version: VersionModel,
  types: ReadonlyMap<string, Schema>,
  { protobuf: lock }: Model,
): ResourceModule => {
  let functions: SchemaFunctions | undefined;
  const steps = version.conversion?.steps ?? [];
  const protobuf: ProtobufSchema | undefined = protobufOf(resource, version, types, lock);
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

/** The module of every version of every resource, in the model's order: what the generated registry would hold. */
export const modulesOf = (model: Model): readonly ResourceModule[] => {
  const types = typeSchemas(model);
  return model.resources.flatMap((resource) =>
    resource.versions.map((version) => moduleOf(resource, version, types, model)),
  );
};
