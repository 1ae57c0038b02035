/** Asks a server by SubjectAccessReviews whether users may do things. */
import { send } from './ask.js';

/** A review that was recorded or will be sent. */
export interface AccessReview {
  readonly spec: object;
  readonly status: object;
}

/** Posts reviews to a server with Kubernetes' names, with the token of a user, and returns the answers. */
export const askReviews = (url: string, token: string, specs: readonly object[]): Promise<readonly AccessReview[]> =>
  Promise.all(
    specs.map(async (spec) => {
      const response = await send({ url }, 'POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', {
        token,
        body: { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec },
      });
      const { status } = await response.json();
      return { spec, status };
    }),
  );
