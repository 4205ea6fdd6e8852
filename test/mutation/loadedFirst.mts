import { loadPackage } from '#harness/builtPackage.mts';

// Modules make their constants before any test. Otherwise the test that happens to load them counts as the only one that
// needs them.
await loadPackage();
