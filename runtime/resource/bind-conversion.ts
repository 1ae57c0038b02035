/** Puts together how a version is converted to the stored one and back. */
import type { NamedConversion, Rename, ResourceCode } from '../contract/index.js';
import type { BoundConversion } from './served-resource.js';

/** Joins the declared conversion and the one by name, which comes second from the stored version and first to it. */
export function bindConversion(
  { conversion }: ResourceCode,
  {
    namedConversion,
    rename = (name) => name,
  }: { readonly namedConversion?: NamedConversion; readonly rename?: Rename },
): BoundConversion | undefined {
  if (!conversion && !namedConversion) return undefined;
  return {
    toStored: (object, report) => {
      namedConversion?.toStored(object, rename, report);
      conversion?.toStored(object, rename, report);
    },
    fromStored: (object, report) => {
      conversion?.fromStored(object, rename, report);
      namedConversion?.fromStored(object, rename, report);
    },
    keeps: {
      own: [...(conversion?.keeps?.own ?? []), ...(namedConversion?.keeps?.own ?? [])].map(rename),
      stored: [...(conversion?.keeps?.stored ?? []), ...(namedConversion?.keeps?.stored ?? [])].map(rename),
    },
    mayFail: conversion?.mayFail === true || namedConversion?.mayFail === true,
  };
}
