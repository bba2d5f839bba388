
# Written answers. A report is a point of a projective space and speaks for the texts whose points are orthogonal to it.
# The points of candidates stand in the column "point" of the file of candidates; level: of their round.
#   candidates("drug", c(1234, 567890), level = 0.025)
# Candidates that somebody found by searching the rows have no valid interval.
vectors <- function(points, space) {
  starts <- (space$order^(0:(space$dimension - 1)) - 1) / (space$order - 1)
  after <- findInterval(points, starts) - 1
  rest <- points - starts[after + 1] + space$order^after
  found <- matrix(0, length(points), space$dimension)
  for (place in space$dimension:1) {
    found[, place] <- rest %% space$order
    rest <- rest %/% space$order
  }
  found
}

candidates <- function(key, points, level) {
  space <- spaces[[key]]
  reports <- na.omit(as.numeric(responses[[key]]))
  n <- length(reports)
  counts <- colSums((vectors(reports, space) %*% t(vectors(points, space))) %% space$order == 0)
  r <- counts / n
  ends <- exact(counts, n, level / length(points) / 2)
  share <- function(r) (r - space$q) / (space$p - space$q)
  data.frame(
    point = points, share = share(r), standard_error = sqrt(r * (1 - r) / n) / (space$p - space$q),
    low = share(ends[, 1]), high = share(ends[, 2])
  )
}
