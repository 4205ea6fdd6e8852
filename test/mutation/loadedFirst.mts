// Loads all modules before the tests, because a module creates its constants when it is loaded. Otherwise, only the
// first test that loads a module would count as covering them.
import '#harness/builtPackage.mts';
