import fc from 'fast-check';

// The same examples each time, so that a mutant is noticed always or never. The first one that fails is enough: looking
// for a smaller one takes seconds.
fc.configureGlobal({ endOnFailure: true, seed: 1 });
