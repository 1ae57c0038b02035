/** Kinds that subresources take and give in place of the object's own. */
import type { ListMeta, ObjectMeta } from '../types.js';

/** How many replicas an object wants and has. */
export interface Scale {
  apiVersion: string;
  kind: 'Scale';
  metadata: ObjectMeta;
  spec: { replicas?: number };
  status?: { replicas: number; selector?: string };
}

/** A request to evict a pod, which budgets may refuse. */
export interface Eviction {
  apiVersion: string;
  kind: 'Eviction';
  metadata?: ObjectMeta;
  deleteOptions?: { gracePeriodSeconds?: number; preconditions?: { uid?: string; resourceVersion?: string } };
}

/** A request for a token of a service account, and the answer to it. */
export interface TokenRequest {
  apiVersion: string;
  kind: 'TokenRequest';
  metadata?: ObjectMeta;
  spec: {
    audiences: string[];
    expirationSeconds?: number | bigint;
    boundObjectRef?: { apiVersion?: string; kind?: string; name?: string; uid?: string };
  };
  status?: { token: string; expirationTimestamp: string };
}

/** A collection as a server prints it for people. */
export interface Table {
  apiVersion: string;
  kind: 'Table';
  metadata: ListMeta;
  columnDefinitions: {
    name: string;
    type: string;
    format: string;
    description: string;
    /** 0 where the column is always shown. */
    priority: number;
  }[];
  rows: {
    /** As many as columns. */
    cells: unknown[];
    object: PartialObject;
  }[];
}

/** An object with nothing but its metadata. */
export interface PartialObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
}
