-- Prints the result of a run as one line of JSON.
function done(summary)
  local errors = summary.errors
  local wrong = errors.status + errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format('{"calls":%d,"micros":%d,"wrong":%d}\n',
    summary.requests, summary.duration, wrong))
end
