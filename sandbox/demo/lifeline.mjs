// Loaded into n8n before its own code (`node --import`). The pipe on stdin is held by whoever started n8n: when
// that process is gone, however it ended, the pipe closes and n8n stops as if it had been asked to. Nothing is
// left running after a killed test run.
import { isMainThread } from 'node:worker_threads';

// n8n's worker threads load this too, and their stdin is closed from the start.
if (isMainThread) {
	process.stdin.on('close', () => process.kill(process.pid, 'SIGTERM'));
	process.stdin.resume();
}
