/** Work on a text from outside, whatever it gives or throws. */
export type TextWork = (text: string) => unknown;

/** `feeds`: called with long texts. `because`: why there is nothing to feed; `within` names the case that feeds it. */
export type GrowthCase = { feeds: TextWork } | { because: string };

export const feeds = (work: TextWork): GrowthCase => ({ feeds: work });
export const because = (reason: string): GrowthCase => ({ because: reason });
export const within = (name: string) => because(`fed by ${name}`);
