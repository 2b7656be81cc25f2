-- Prints what came of a run as one line of JSON. Latency in microseconds.
function done(summary, latency)
  local errors = summary.errors
  local wrong = errors.status + errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format('{"calls":%d,"micros":%d,"wrong":%d,"middle":%d}\n',
    summary.requests, summary.duration, wrong, latency:percentile(50)))
end
