# From here on nothing depends on the survey.

confidence <- 0.95
simultaneous <- FALSE # TRUE: the intervals of a question hold together at that confidence (Bonferroni)

arguments <- commandArgs(trailingOnly = TRUE)
file <- if (length(arguments) >= 1) arguments[1] else "responses.csv"

# As text. An empty cell is NA: not asked / no report.
responses <- read.csv(file, colClasses = "character", na.strings = "", check.names = FALSE, fileEncoding = "UTF-8-BOM")
if (nrow(responses) == 0) stop("There are no responses in ", file, ".")

# The code of each report to a question that has one; NA where there is none.
codes <- function(question) {
  if (!is.null(question$values)) return(match(responses[[question$columns[1]]], question$values) - 1L)
  column <- as.integer(responses[[question$columns[1]]])
  if (is.null(question$first)) return(column)
  column <- (column - question$first) / question$step
  if (length(question$columns) > 1) column[which(responses[[question$columns[2]]] == "1")] <- question$size - 1
  as.integer(column)
}

# Points by number, a row of `dimension` numbers each: the first that is not 0 is 1. They are numbered by where it stands,
# the last place first, then as numbers of base `order`.
vectors <- function(points, space) {
  power <- space$order^(seq_len(space$dimension) - 1)
  starts <- (power - 1) / (space$order - 1)
  after <- findInterval(points, starts)
  rest <- points - starts[after] + power[after]
  t(vapply(rest, function(each) each %/% rev(power) %% space$order, numeric(space$dimension)))
}

# Which points are orthogonal to the choices: a row for each point.
held <- function(question, points, choices) {
  products <- vectors(points, question$space) %*% t(vectors(choices, question$space))
  products %% question$space$order == 0
}

# In how many of the groups that were reported each choice is, some choices at a time.
in_groups <- function(question, reported) {
  came <- table(reported)
  points <- as.numeric(names(came))
  blocks <- split(seq_len(question$size) - 1, (seq_len(question$size) - 1) %/% 100)
  as.vector(unlist(lapply(blocks, function(choices) as.vector(came) %*% held(question, points, choices))))
}

# How often each choice was reported, and in how many reports that speak of it.
count <- function(question) {
  if (question$marks) {
    cells <- responses[question$columns]
    return(list(counts = colSums(cells == "1", na.rm = TRUE), of = colSums(!is.na(cells))))
  }
  reported <- codes(question)
  if (!is.null(question$space)) {
    return(list(counts = in_groups(question, reported), of = rep(sum(!is.na(reported)), question$size)))
  }
  list(counts = tabulate(reported + 1, nbins = question$size), of = rep(sum(!is.na(reported)), question$size))
}

# How often an interval misses to each side. free: how many shares of a question are free.
tail_of <- function(question) (1 - confidence) / (if (simultaneous) question$free else 1) / 2

# Wilson's interval of a share of reports.
wilson <- function(counts, n, z) {
  share <- counts / n
  centre <- (share + z^2 / (2 * n)) / (1 + z^2 / n)
  half <- z / (1 + z^2 / n) * sqrt(share * (1 - share) / n + z^2 / (4 * n^2))
  cbind(ifelse(counts == 0, 0, centre - half), ifelse(counts == n, 1, centre + half))
}

# The exact interval of a share of reports (Clopper and Pearson), for shares that share a level.
exact <- function(counts, n, tail) {
  cbind(
    ifelse(counts == 0, 0, qbeta(tail, pmax(counts, 1), n - counts + 1)),
    ifelse(counts == n, 1, qbeta(tail, counts + 1, pmax(n - counts, 1), lower.tail = FALSE))
  )
}

# The closest shares that sum to 1 and are not negative: subtract one number from all, cut at 0. The report of a closed
# survey may show the likeliest shares of the whole reports in their place; its constrained_by says so.
norm_sub <- function(shares) {
  falling <- sort(shares, decreasing = TRUE)
  excess <- (cumsum(falling) - 1) / seq_along(falling)
  pmax(shares - excess[max(which(falling > excess))], 0)
}

# The likeliest shares that sum to 1 and are not negative, for one code per response.
likeliest <- function(counts, c, d) {
  size <- length(counts)
  order <- order(counts, decreasing = TRUE)
  sums <- cumsum(counts[order])
  room <- 1 - (size - seq_len(size)) * d
  smallest <- ifelse(sums > 0, counts[order] * room / sums, 0)
  last <- max(which(smallest > d))
  kept <- order[seq_len(last)]
  chances <- rep(d, size)
  chances[kept] <- counts[kept] * room[last] / sums[last]
  pmax((chances - d) / c, 0)
}

constrain <- function(question, counts, estimate) {
  switch(question$constrain,
    "none" = estimate,
    "each" = pmin(pmax(estimate, 0), 1),
    "yes-no" = { yes <- min(max(estimate[2], 0), 1); c(1 - yes, yes) },
    "norm-sub" = norm_sub(estimate),
    "likelihood" = likeliest(counts, question$c[1], question$d[1]),
    rep(NA_real_, length(estimate))
  )
}

# share reported = c * true share + d, for each choice
by_line <- function(question, counts, of) {
  observed <- counts / of
  estimate <- (observed - question$d) / question$c
  shared <- simultaneous && question$free > 1
  ends <- if (shared) exact(counts, of, tail_of(question)) else wilson(counts, of, qnorm(1 - tail_of(question)))
  ends <- (ends - question$d) / question$c
  data.frame(
    observed = observed,
    estimate = estimate,
    standard_error = sqrt(observed * (1 - observed) / of) / abs(question$c),
    low = pmin(ends[, 1], ends[, 2]),
    high = pmax(ends[, 1], ends[, 2]),
    constrained = constrain(question, counts, estimate)
  )
}

# shares reported = true shares times the matrix; intervals are Wald's
by_matrix <- function(question, counts, n) {
  observed <- counts / n
  inverse <- solve(question$matrix)
  estimate <- as.vector(observed %*% inverse)
  covariance <- t(inverse) %*% (diag(observed) - observed %o% observed) %*% inverse / n
  error <- sqrt(pmax(diag(covariance), 0))
  half <- qnorm(1 - tail_of(question)) * error
  data.frame(
    observed = observed, estimate = estimate, standard_error = error,
    low = estimate - half, high = estimate + half, constrained = NA_real_
  )
}

# The mean of numbers whose reports lie most often in a window that moves with the truth: least-squares weights w with
# M w = wanted, M the chances of each report (columns) for each truth (rows).
by_weights <- function(question, counts, n) {
  window <- question$window
  starts <- c(seq_len(window$size) - 1, if (window$aside == 1) window$size - 1 + window$width)
  reports <- window$size - 1 + window$width * (1 + window$aside)
  chances <- t(vapply(starts, function(start) {
    inside <- seq_len(reports) - 1 >= start & seq_len(reports) - 1 < start + window$width
    ifelse(inside, window$high, window$low)
  }, numeric(reports)))
  chances <- chances / rowSums(chances)[1]
  often <- colMeans(chances)
  scaled <- t(t(chances) / often)
  weights <- function(wanted) as.vector(t(scaled) %*% solve(scaled %*% t(chances), wanted))
  observed <- counts / n
  above <- c(question$numbers, if (window$aside == 1) 0)
  below <- c(rep(1, window$size), if (window$aside == 1) 0)
  part <- if (window$aside == 1) sum(observed * weights(below)) else 1
  value <- sum(observed * weights(above)) / part
  spread <- weights(above - value * below)
  # Reports that happen to be alike vary no less than the design's least, whatever is true.
  least <- min(chances %*% spread^2 - (above - value * below)^2)
  error <- sqrt(max(sum(observed * (spread - sum(observed * spread))^2), least) / n) / part
  half <- qnorm(1 - (1 - confidence) / 2) * error
  data.frame(
    observed = NA_real_, estimate = value, standard_error = error,
    low = value - half, high = value + half, constrained = NA_real_
  )
}

report <- do.call(rbind, lapply(questions, function(question) {
  if (all(is.na(responses[question$columns]))) return(NULL)
  if (!is.null(question$window)) {
    reports <- question$window$size - 1 + question$window$width * (1 + question$window$aside)
    reported <- codes(question)
    n <- sum(!is.na(reported))
    mean <- by_weights(question, tabulate(reported + 1, nbins = reports), n)
    return(cbind(data.frame(question = question$key, code = NA_real_, choice = "mean"), n = n, mean))
  }
  found <- count(question)
  shares <- if (is.null(question$matrix)) by_line(question, found$counts, found$of) else by_matrix(question, found$counts, found$of[1])
  cbind(data.frame(question = question$key, code = seq_len(question$size) - 1, choice = question$choices), n = found$of, shares)
}))

print(report, digits = 4, row.names = FALSE)
if (length(arguments) >= 2) write.csv(format(report, digits = 15), arguments[2], row.names = FALSE, fileEncoding = "UTF-8")
