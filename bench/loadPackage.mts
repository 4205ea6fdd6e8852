/** Measures how long n8n takes to load the package, each time in a new process, and counts the loaded files. */
import type { JsonRecord } from '#sandbox/json.mts';
import { median } from './measurement.mts';
import { inOwnProcess } from './ownProcess.mts';

/** Returns one line with the elapsed time and the CPU time. They differ if the machine also does other work. */
export async function loadTime(processes: number): Promise<string> {
	const loads: JsonRecord[] = [];
	for (let load = 0; load < processes; load++) loads.push(await inOwnProcess('loadTime.mts'));
	const numbers = (name: string) => loads.map((load) => Number(load[name]));
	const shown = (name: string) => {
		const all = numbers(name);
		const [lowest, middle, highest] = [Math.min(...all), median(all), Math.max(...all)];
		return `${middle.toFixed(0)} ms (${lowest.toFixed(0)} to ${highest.toFixed(0)})`;
	};
	return `${shown('ms')}, of the processor ${shown('processorMs')}, ${median(numbers('files')).toFixed(0)} files`;
}
