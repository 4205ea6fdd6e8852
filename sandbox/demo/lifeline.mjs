// Loaded into n8n before its own code (`node --import`). The process that started n8n holds the pipe on stdin. When
// that process ends, for whatever reason, the pipe closes and n8n shuts down normally. So a killed test run leaves
// nothing running.
import { isMainThread } from 'node:worker_threads';

// n8n's worker threads load this too, but their stdin is closed from the start.
if (isMainThread) {
	process.stdin.on('close', () => process.kill(process.pid, 'SIGTERM'));
	process.stdin.resume();
}
