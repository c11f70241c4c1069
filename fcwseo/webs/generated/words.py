"""The vocabularies of the generated web: thirteen topics in a ring, words of no topic, and plain English.

Neighbours on the ring share words, as real topics do: a page on climate mentions rainfall, one on geology
landslides, and a sports team may be called Storm. The first words of a topic are its most frequent ones.
"""


def _terms(text: str) -> tuple[str, ...]:
    return tuple(" ".join(term.split()) for term in text.split(","))


RAINSTORM = _terms("""
    rainstorm, flash flood, rainfall, flood, landslide, warning, heavy rain, debris flow, rainstorm
    disaster, runoff, inundation, early warning, torrential rain, flood risk, precipitation, storm,
    downpour, river level, waterlogging, flood forecast, hazard, evacuation, mudslide, rain gauge, rainfall
    threshold, flood damage, peak discharge, cloudburst, emergency response, weather radar, urban flooding,
    catchment, soil moisture, disaster prevention, drainage, overflow, convective storm, rainstorm warning,
    flood control, slope failure, return period, flood hazard map, casualties, rescue, thunderstorm, levee
    breach, flood plain, intense precipitation, saturated soil, nowcasting, typhoon rain, flood victims,
    disaster relief, vulnerability, hydrograph, storm surge, relief supplies, rainband, rain intensity,
    flood insurance, culvert, sandbag, gully, risk assessment, monsoon, lightning, hail, shelter, disaster
    loss, alert level
    """)

CLIMATE = _terms("""
    climate, temperature, atmosphere, warming, emissions, carbon dioxide, climate change, season, rainfall,
    ocean, ice sheet, greenhouse gas, drought, weather station, precipitation, pressure, wind, glacier,
    climate model, humidity, heat wave, sea level, mean temperature, forecast, meteorology, circulation, jet
    stream, sunshine, winter, summer, frost, snow, weather radar, storm, monsoon, aerosol, ozone, cloud
    cover, albedo, permafrost, climatology, anomaly, scenario, mitigation, adaptation, cyclone, front,
    satellite, thermometer, polar, tropics, vegetation, feedback, proxy record
    """)

FARMING = _terms("""
    farm, crop, soil, harvest, wheat, farmer, livestock, irrigation, seed, fertiliser, cattle, pasture,
    tractor, yield, maize, barley, orchard, dairy, sheep, manure, plough, weed, pesticide, greenhouse,
    grain, hay, drought, rainfall, rotation, organic, poultry, pig, silage, milk, vineyard, sowing, field,
    barn, fence, rural, agronomy, compost, drainage, pest, hedgerow, acre, market garden, combine harvester,
    soil moisture, subsidy, veterinary, breed, grazing, root crop
    """)

COOKING = _terms("""
    recipe, cooking, flour, oven, sauce, butter, sugar, onion, garlic, kitchen, bread, cheese, vegetable,
    soup, chicken, salt, pepper, olive oil, dessert, cake, dough, pasta, tomato, spice, herb, roast, boil,
    simmer, grill, cream, egg, rice, lemon, chef, restaurant, flavour, ingredient, menu, breakfast, dinner,
    baking, stew, salad, vinegar, honey, wine, fish, potato, whisk, saucepan, tablespoon, pastry, chocolate,
    yeast, marinade
    """)

MEDICINE = _terms("""
    patient, doctor, hospital, disease, treatment, symptom, medicine, blood, clinic, infection, nurse,
    surgery, vaccine, therapy, diagnosis, virus, heart, cancer, dose, pain, fever, drug, immune system,
    health, diabetes, allergy, bone, skin, lung, brain, sleep, diet, vitamin, exercise, antibiotic,
    pharmacy, trial, chronic, blood pressure, screening, pregnancy, child health, mental health, stroke,
    epidemic, wound, casualties, emergency, ambulance, rescue, prevention, recovery, tablet, side effect
    """)

SPORT = _terms("""
    match, team, goal, player, league, season, coach, football, win, score, club, championship, stadium,
    race, tennis, final, cup, referee, training, defender, striker, tournament, fans, record, medal, runner,
    basketball, cricket, rugby, cyclist, swimmer, fixture, captain, transfer, penalty, half time, injury,
    table, storm, thunder, lightning, victory, defeat, draw, marathon, athlete, olympic, squad, keeper,
    midfield, relegation, warning, yellow card, away game
    """)

MUSIC = _terms("""
    song, album, band, guitar, concert, singer, melody, piano, rhythm, orchestra, lyrics, drum, jazz, tour,
    chorus, record, studio, violin, festival, symphony, composer, stage, rock, opera, choir, audience, bass,
    single, tempo, harmony, chord, track, label, producer, release, vinyl, folk, blues, rain, thunder,
    storm, verse, quartet, sonata, trumpet, flute, playlist, microphone, acoustic, ballad, encore, remix,
    genre, debut
    """)

FILM = _terms("""
    film, actor, director, scene, cinema, movie, plot, character, camera, drama, comedy, audience, script,
    screen, series, episode, trailer, actress, role, award, thriller, sequel, animation, story, festival,
    producer, studio, premiere, review, documentary, cast, horror, western, hero, villain, dialogue,
    soundtrack, editing, costume, lighting, storm, disaster film, box office, remake, novel, adaptation,
    silent film, shot, narrator, science fiction, special effects, critic, ending
    """)

COMPUTING = _terms("""
    software, computer, program, server, data, network, code, user, algorithm, database, file, browser,
    system, memory, security, password, processor, cloud, interface, compiler, developer, bug, version,
    internet, web page, crawler, search engine, link, storage, backup, protocol, encryption, operating
    system, laptop, keyboard, script, thread, cache, machine learning, overflow, update, patch, open source,
    library, function, variable, cluster, virtual machine, stream, flood attack, warning, compile, debugger,
    command line
    """)

FINANCE = _terms("""
    bank, market, investment, stock, loan, interest rate, insurance, price, share, fund, economy, tax,
    inflation, credit, budget, investor, bond, profit, dividend, mortgage, currency, debt, portfolio, trade,
    pension, risk, asset, premium, broker, income, revenue, capital, exchange, growth, audit, account,
    savings, quarter, earnings, central bank, forecast, loss, claim, damage, flood insurance, risk
    assessment, hedge, liquidity, merger, equity, yield, policyholder, balance sheet, deficit
    """)

TRAVEL = _terms("""
    hotel, travel, beach, island, flight, trip, city, tour, guide, museum, airport, holiday, train, ticket,
    mountain, village, passport, luggage, map, restaurant, hiking, coast, booking, guest, castle, harbour,
    cruise, tourist, camping, hostel, sightseeing, visa, route, ferry, old town, landmark, excursion,
    national park, trail, valley, weather, rain, travel warning, season, cathedral, bridge, itinerary,
    resort, backpack, souvenir, monsoon, shelter, scenery, waterfall, viewpoint
    """)

RIVERS = _terms("""
    river, lake, water, dam, reservoir, stream, fish, basin, catchment, wetland, canal, bank, boat,
    groundwater, watershed, sediment, water quality, estuary, tributary, discharge, flow, hydrology, lock,
    navigation, salmon, delta, spring, aquifer, runoff, flood plain, weir, river level, pollution, algae,
    hydropower, gauge, irrigation, channel, current, bridge, ferry, levee, hydrograph, precipitation,
    drainage, swamp, trout, water supply, purification, meander, rapids, kayak, otter, reed
    """)

GEOLOGY = _terms("""
    rock, earthquake, fault, mineral, volcano, geology, crust, magma, sediment, seismic, lava, plate,
    mantle, granite, limestone, fossil, magnitude, epicentre, eruption, landslide, slope, strata, tectonic,
    basalt, erosion, quartz, ash, tremor, seismograph, mountain, debris, slope failure, clay, sandstone,
    shale, drilling, ore, mine, cave, glacier, canyon, hazard, aftershock, gully, tsunami, hazard map,
    outcrop, crystal, geologist, survey, core sample, metamorphic, subduction, soil, bedrock
    """)

# Words of sites about themselves: pages without a topic, and portals.
UNTOPICAL = _terms("""
    contact, about us, home, service, privacy, terms, newsletter, account, search, site map, staff, opening
    hours, directory, member, login, archive, links, address, telephone, press, jobs, team, partners,
    feedback, register, help, questions, shop, order, delivery, catalogue, links page, editor, legal notice,
    cookies, copyright, office, visitors, events, calendar, forum, guest book, gallery, download, web ring,
    community, announcement, profile, category, index
    """)

# The labels of the web, in the order of the ring: the last is a neighbour of the first.
VOCABULARIES = {
    "rainstorm": RAINSTORM,
    "climate": CLIMATE,
    "farming": FARMING,
    "cooking": COOKING,
    "medicine": MEDICINE,
    "sport": SPORT,
    "music": MUSIC,
    "film": FILM,
    "computing": COMPUTING,
    "finance": FINANCE,
    "travel": TRAVEL,
    "rivers": RIVERS,
    "geology": GEOLOGY,
}

ENGLISH = _terms("""
    the, of, and, to, in, a, is, that, for, it, was, on, are, as, with, his, they, at, be, this, from, have,
    or, by, one, had, not, but, what, all, were, when, we, there, can, an, your, which, their, said, if, do,
    will, each, about, how, up, out, them, then, she, many, some, so, these, would, other, into, has, more,
    her, two, like, him, see, time, could, no, make, than, first, been, its, who, now, people, my, made,
    over, did, down, only, way, find, use, may, long, little, very, after, words, called, just, where, most,
    know, get, through, back, much, before, go, good, new, write, our, used, me, man, too, any, day, same,
    right, look, think, also, around, another, came, come, work, three, word, must, because, does, part,
    even, place, well, such, here, take, why, things, help, put, years, different, away, again, off, went,
    old, number, great, tell, men, say, small, every, found, still, between, name, should, home, big, give,
    air, line, set, own, under, read, last, never, us, left, end, along, while, might, next, sound, below,
    saw, something, thought, both, few, those, always, looked, show, large, often, together, asked, house,
    world, going, want, school, important, until, form, food, keep, children, feet, land, side, without,
    boy, once, enough, took, sometimes, four, head, above, kind, began, almost, live, page, got, earth,
    need, far, hand, high, year, mother, light, country, father, let, night, following, picture, being,
    study, second, soon, story, since, white, ever, paper, hard, near, sentence, better, best, across,
    during, today, however, sure, knew, try, told, young, sun, thing, whole, hear, example, heard, several,
    change, answer, room, sea, against, top, turned, learn, point, city, play, toward, five, himself,
    usually, money, seen, car, morning, group, given, trying, body, upon, family, later, turn, move, face,
    door, cut, done, true, half, red, fish, plants, living, wanted, black, short, states, run, book, gave,
    order, open, ground, cold, really, table, remember, tree, course, front, space, inside, ago, sad, early,
    learned, brought, close, nothing, though, started, idea, call, lived, makes, became, looking, add,
    become, grow, draw, yet, hands, less, wind, places, behind, cannot, letter, among, shown, mile,
    ready, river, figure, box, noun, field, rest, able, pulled, voice, town, seems, control, decided,
    market, report, council, project, public, local, national, office, region, official, according, support,
    including, within, results
    """)

NEUTRAL_NAMES = _terms("blue, north, open, prime, first, green, star, my, global, metro, union, alpha")
NAME_ENDINGS = _terms("watch, news, online, info, centre, net, hub, world, daily, forum, guide, base")
JOINTS = _terms("and, in, for, after, with, against, from, without")
VAGUE = _terms("more, here, read on, details, this page, next, link, see also")

TOPICS = tuple(VOCABULARIES)
WORDS = (*VOCABULARIES.values(), UNTOPICAL)  # by the number of the topic


def _zipf(words: tuple[str, ...]) -> tuple[str, ...]:
    """1024 words, repeated by rank, so that a uniform draw follows Zipf's law.

    >>> drawn = _zipf(("often", "seldom", "rare"))
    >>> [drawn.count(word) for word in ("often", "seldom", "rare")]
    [436, 327, 261]
    """
    sums = [0.0]
    for rank in range(len(words)):
        sums.append(sums[-1] + 1 / (rank + 3))
    ends = [round(1024 * partial / sums[-1]) for partial in sums]
    return tuple(word for rank, word in enumerate(words) for _ in range(ends[rank + 1] - ends[rank]))


OFTEN = tuple(_zipf(words) for words in WORDS)  # to draw from, by the number of the topic
OFTEN_ENGLISH = _zipf(ENGLISH)
