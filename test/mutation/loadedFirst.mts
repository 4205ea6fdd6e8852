import { loadPackage } from '#harness/builtPackage.mts';

// Modules create their constants before any test. Otherwise only the test that happens to load them would count as
// covering them.
await loadPackage();
