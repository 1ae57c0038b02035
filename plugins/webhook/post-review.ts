/** The way to a webhook that is asked by reviews, as authenticators and authorizers need it. */

/** Posts a review, and reads the answer; or why there is none. Never rejects. */
export type PostReview = (
  body: string,
) => Promise<{ readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: string }>;
